import type { Socket } from 'node:net'
import { invalid } from '../domain/refusal.ts'
import { newRequestId, securityHeaders } from './http-reply.ts'
import { errorBody } from './reply.ts'

/** What the HTTP parser refuses, by its code; everything else is `400 Bad Request`. */
const statusLines: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}
const messages: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'took too long to arrive',
  HPE_HEADER_OVERFLOW: 'has more than 16 KiB of headers',
}

/** What is not HTTP gets the Error body where HTTP still allows one; then the connection ends. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasAnswered(socket)) {
    socket.destroy()
    return
  }
  const code = error.code ?? ''
  const body = errorBody(invalid({ request: [messages[code] ?? 'is not a readable HTTP request'] }))
  const headers = {
    ...securityHeaders,
    'x-request-id': newRequestId(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${statusLines[code] ?? '400 Bad Request'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Node.js keeps the response under way on its socket; a second one in its midst would be read as part of it. */
function hasAnswered(socket: Socket & { _httpMessage?: { headersSent?: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
