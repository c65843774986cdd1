import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { own } from '../../contract/own.ts'
import { invalid } from '../../domain/rejection.ts'
import type { LogEntry } from '../context.ts'
import { requestIdOf } from '../observe/scrub.ts'
import { errorBody, jsonType } from '../pipeline/reply.ts'
import { newRequestId, securityHeaders } from './http-reply.ts'
import { endSoon } from './http-unread.ts'

export type Note = (entry: LogEntry) => void

const statusLines: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}
const messages: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'took too long to arrive',
  HPE_HEADER_OVERFLOW: 'has more than 16 KiB of headers',
}

export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, note: Note): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = error.code ?? ''
  const statusLine = own(statusLines, code) ?? '400 Bad Request'
  rejectOn(socket, statusLine, own(messages, code) ?? 'is not a readable HTTP request', newRequestId(), note)
}

/** CONNECT asks for a tunnel; Node.js then leaves the connection to this listener. */
export function rejectTunnel({ headers }: IncomingMessage, socket: Socket, note: Note): void {
  socket.on('error', () => socket.destroy())
  const requestId = requestIdOf(headers['x-request-id'], newRequestId)
  rejectOn(socket, '400 Bad Request', 'must not be CONNECT: this service is not a proxy', requestId, note)
}

/** Writes to the socket directly: framework and parser have both released it. */
function rejectOn(socket: Socket, statusLine: string, message: string, requestId: string, note: Note): void {
  if (!socket.writable || hasAnswered(socket)) {
    socket.destroy()
    return
  }
  const body = errorBody(invalid({ request: [message] }))
  const headers = {
    ...securityHeaders,
    'x-request-id': requestId,
    ...jsonType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`HTTP/1.1 ${statusLine}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  endSoon(socket)
  note({
    request_id: requestId,
    operation: 'unknown',
    status: Number.parseInt(statusLine, 10),
    duration_ms: 0,
    address: socket.remoteAddress ?? '',
  })
}

/** Node.js keeps the current response on its socket; a second one written now would be read as part of it. */
function hasAnswered(socket: Socket & { _httpMessage?: { headersSent?: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
