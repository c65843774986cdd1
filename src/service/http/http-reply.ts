import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Coding, Reply } from '../../contract/call.ts'
import { own } from '../../contract/own.ts'
import { invalid } from '../../domain/rejection.ts'
import { randomHex, runtime } from '../../runtime/runtime.ts'
import type { LogEntry } from '../context.ts'
import { requestIdOf } from '../observe/scrub.ts'
import { errorBody, jsonType } from '../pipeline/reply.ts'
import { byteLengthInTurns, bytesInTurns } from '../pipeline/stored-body.ts'
import { compressor } from '../representation.ts'
import type { Pace } from './http-connections.ts'
import { endSoon, endsUnread, endsWithAnswer } from './http-pipelining.ts'

/** On every response but a 304: none is a web page, and no cache may reuse one without revalidating it. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const securityLines = Object.entries(securityHeaders).flat()
/** Only the client may cache a response with an entity tag, and must revalidate it each time. */
const revalidated = { 'cache-control': 'private, no-cache' }
const revalidatedLines = Object.entries({ ...securityHeaders, ...revalidated }).flat()
/** The client has the other headers from the earlier response (RFC 9110, 15.4.5). */
const unchangedLines = Object.entries(revalidated).flat()

/** Bypasses the framework, which takes as long to collect headers one by one as for the rest of a response. */
export function send(reply: FastifyReply, answered: Reply, isLast = false): FastifyReply {
  const { status, body, encoded } = answered
  const response = begin(reply, answered, isLast, encoded?.bytes?.length ?? Buffer.byteLength(body))
  response.end(hasNoBody(status) ? undefined : (encoded?.bytes ?? body))
  return reply
}

/** For a long response, sent as fast as it is read. Resolves when no memory is held for it any more. */
export async function sendLong(
  reply: FastifyReply,
  answered: Reply,
  isLast: boolean,
  pace: Pace,
): Promise<void> {
  const { raw: request } = reply.request
  const { encoded, ...plain } = answered
  // HTTP/1.0 has no responses of unknown length.
  const coding = request.httpVersionMinor === 0 ? undefined : encoded?.coding
  const texts = answered.pieces ?? [answered.body]
  try {
    const bytes = await byteLengthInTurns(texts)
    const response = coding ? begin(reply, answered, isLast, undefined) : begin(reply, plain, isLast, bytes)
    if (request.method === 'HEAD') response.end()
    else await streamBody(response, request.socket, { texts, bytes, coding }, pace)
  } finally {
    answered.sent?.()
  }
}

function begin(
  reply: FastifyReply,
  answered: Reply,
  isLast: boolean,
  length: number | undefined,
): ServerResponse {
  const { raw: request } = reply.request
  const { raw: response } = reply
  reply.hijack()
  const { status, headers, encoded } = answered
  const lines = linesBefore(answered).slice()
  for (const name in headers) lines.push(name, headers[name] ?? '')
  if (encoded?.coding) lines.push('content-encoding', encoded.coding)
  if (length !== undefined && !hasNoBody(status)) lines.push('content-length', String(length))
  if (isLast || endsUnread(request, response)) response.shouldKeepAlive = false
  response.writeHead(status, lines)
  // Node.js also ends the connection if the client still waits for 100 Continue.
  if (!response.shouldKeepAlive) endsWithAnswer(request.socket)
  return response
}

function linesBefore({ status, headers }: Reply): readonly string[] {
  if (status === 304) return unchangedLines
  return headers.etag === undefined ? securityLines : revalidatedLines
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304
}

export function newRequestId(): string {
  return randomHex(16)
}

type LongBody = { texts: readonly string[]; bytes: number; coding: Coding | undefined }

/**
 * Sends each piece once the one before is read, so that an unread response needs little memory beyond its text. Resolves at the
 * end, or when the client is gone or was cut off for being too slow.
 */
async function streamBody(
  response: ServerResponse,
  connection: Socket,
  { texts, bytes, coding }: LongBody,
  pace: Pace,
): Promise<void> {
  // A pipelined request waits until those before it are answered; anything written earlier is buffered.
  if (!response.socket && !connection.destroyed) await either(response, 'socket', connection)
  const isOver = (): boolean => response.closed || connection.destroyed
  const msMax = pace.freeMs + (bytes / pace.bytesPerS) * 1000
  const callOff = runtime.after(msMax, () => connection.resetAndDestroy())
  try {
    for await (const piece of coding ? compressed(texts, coding) : copied(texts)) {
      if (isOver()) return
      if (!response.write(piece)) await either(response, 'drain')
    }
    if (isOver()) return
    const taken = either(response, 'finish')
    response.end()
    await taken
  } finally {
    callOff()
  }
}

/** Copies each piece: the next one reuses its memory, and this one may still be waiting to be read. */
async function* copied(texts: readonly string[]): AsyncGenerator<Buffer, void> {
  for await (const piece of bytesInTurns(texts)) yield Buffer.from(piece)
}

function compressed(texts: readonly string[], coding: Coding): AsyncIterable<Buffer> {
  return pipeline(copied(texts), compressor(coding), () => {})
}

function either(
  response: ServerResponse,
  event: 'socket' | 'drain' | 'finish',
  carrier: ServerResponse | Socket = response,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off(event, done)
      carrier.off('close', done)
      resolve()
    }
    response.once(event, done)
    carrier.once('close', done)
  })
}

export type Note = (entry: LogEntry) => void

const badRequest = '400 Bad Request'
const faults: Record<string, readonly [statusLine: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'has more than 16 KiB of headers'],
}

export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, note: Note): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const fault = own(faults, error.code ?? '') ?? [badRequest, 'is not a readable HTTP request']
  rejectOn(socket, ...fault, newRequestId(), note)
}

/** CONNECT asks for a tunnel; Node.js then leaves the connection to this listener. */
export function rejectTunnel({ headers }: IncomingMessage, socket: Socket, note: Note): void {
  socket.on('error', () => socket.destroy())
  const requestId = requestIdOf(headers['x-request-id'], newRequestId)
  rejectOn(socket, badRequest, 'must not be CONNECT: this service is not a proxy', requestId, note)
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
