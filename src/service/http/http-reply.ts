import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Reply } from '../../contract/call.ts'
import { randomHex } from '../../runtime/identifiers.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Pace } from './http-connections.ts'
import { streamBody } from './http-stream.ts'

/** On every answer: nothing here is ever a page, and nothing may be kept by a cache that does not ask each time. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const securityLines = Object.entries(securityHeaders).flat()
/** What has an entity tag may be kept by its client alone, which asks each time whether it still holds. */
const revalidatedLines = Object.entries({ ...securityHeaders, 'cache-control': 'private, no-cache' }).flat()

/** Bytes of an unread body that are read and thrown away rather than ending the connection. */
const skippedBytesMax = 64 * 1024
/** How long a sender that was refused may go on sending before the connection is cut, in milliseconds. */
const lingerMs = 2_000

/**
 * Writes a reply as the response, and its connection's end where it must not go on. Past the framework: its way of
 * gathering headers one by one takes as long as the rest of an answer.
 */
export function send(reply: FastifyReply, answered: Reply, isLast = false): FastifyReply {
  const response = begin(reply, answered, isLast)
  response.end(hasNoBody(answered.status) ? undefined : (answered.encoded?.bytes ?? answered.body))
  return reply
}

/** The same of an answer that is long: its body goes out as it is taken. Resolves when nothing of it is held any more. */
export async function sendLong(
  reply: FastifyReply,
  answered: Reply,
  isLast: boolean,
  pace: Pace,
): Promise<void> {
  const { raw: request } = reply.request
  // HTTP/1.0 knows no answer whose length is not known beforehand.
  const coding = request.httpVersionMinor === 0 ? undefined : answered.encoded?.coding
  const { encoded: _, ...plain } = answered
  try {
    const response = begin(reply, coding ? answered : plain, isLast)
    if (request.method === 'HEAD') response.end()
    else await streamBody(response, request.socket, answered.body, pace, coding)
  } finally {
    answered.sent?.()
  }
}

function begin(reply: FastifyReply, answered: Reply, isLast: boolean): ServerResponse {
  const { raw: request } = reply.request
  const { raw: response } = reply
  reply.hijack()
  const { status, headers, body, encoded } = answered
  const lines = (headers.etag === undefined ? securityLines : revalidatedLines).slice()
  for (const name in headers) lines.push(name, headers[name] ?? '')
  if (encoded) lines.push('content-encoding', encoded.coding)
  const length = encoded ? encoded.bytes?.length : Buffer.byteLength(body)
  if (length !== undefined && !hasNoBody(status)) lines.push('content-length', String(length))
  if (isLast || isFramedTwice(request) || endsUnread(request, response)) lines.push('connection', 'close')
  response.writeHead(status, lines)
  return response
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304
}

/** HTTP/1.0 knows no chunks: who stands in between may have read another end of the body than we did (RFC 9112, 6.1). */
function isFramedTwice({ httpVersionMinor, headers }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined
}

export function newRequestId(): string {
  return randomHex(16)
}

/** A body that was begun and not finished would hold up the next request on the connection: what is left is thrown away. */
function endsUnread(request: FastifyReply['request']['raw'], response: ServerResponse): boolean {
  if (!request.complete || request.readableLength > 0) request.resume()
  if (request.complete || !isLongBody(request.headers)) return false
  if (response.socket) linger(response.socket)
  return true
}

function isLongBody(headers: IncomingHttpHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > skippedBytesMax
}

/** A long body that was refused unread ends the connection with the answer, but not at once. */
function linger(socket: Socket): void {
  socket.destroySoon = () => endSoon(socket)
}

/**
 * Ends a connection once its sender has had time to read the answer: cut at once, what it has under way would make its
 * system throw the answer away.
 */
export function endSoon(socket: Socket): void {
  socket.end()
  socket.resume()
  const callOff = runtime.after(lingerMs, () => socket.destroy())
  socket.once('close', callOff)
}
