import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Coding, Reply } from '../../contract/call.ts'
import { randomHex } from '../../runtime/identifiers.ts'
import { runtime } from '../../runtime/runtime.ts'
import { byteLengthInTurns, bytesInTurns } from '../pipeline/stored-body.ts'
import { compressor } from '../representation/content-coding.ts'
import type { Pace } from './http-connections.ts'
import { endsWithAnswer, isFramedTwice } from './http-pipelining.ts'
import { endsUnread } from './http-unread.ts'

/** On every answer but a 304: none is a web page, and no cache may keep one without asking each time. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const securityLines = Object.entries(securityHeaders).flat()
/** An answer with an entity tag may be cached by its client only, which revalidates it each time. */
const revalidated = { 'cache-control': 'private, no-cache' }
const revalidatedLines = Object.entries({ ...securityHeaders, ...revalidated }).flat()
/** The client has the rest already, with its answer (RFC 9110, 15.4.5). */
const unchangedLines = Object.entries(revalidated).flat()

/**
 * Writes a reply as the response, and ends the connection if it must not be used again. Bypasses the framework, whose
 * gathering of headers one by one takes as long as the rest of an answer.
 */
export function send(reply: FastifyReply, answered: Reply, isLast = false): FastifyReply {
  const { status, body, encoded } = answered
  const response = begin(reply, answered, isLast, encoded?.bytes?.length ?? Buffer.byteLength(body))
  response.end(hasNoBody(status) ? undefined : (encoded?.bytes ?? body))
  return reply
}

/** The same for a long answer, whose body is sent as fast as it is read. Resolves when nothing of it is held any more. */
export async function sendLong(
  reply: FastifyReply,
  answered: Reply,
  isLast: boolean,
  pace: Pace,
): Promise<void> {
  const { raw: request } = reply.request
  const { encoded, ...plain } = answered
  // HTTP/1.0 has no answers of unknown length.
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

/** `length`: bytes of the body, where it is known. */
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
  if (isLast || isFramedTwice(request) || endsUnread(request, response)) {
    lines.push('connection', 'close')
    endsWithAnswer(request.socket)
  }
  response.writeHead(status, lines)
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

/** The texts of a body one after the other, their bytes together, and how these are compressed. */
type LongBody = { texts: readonly string[]; bytes: number; coding: Coding | undefined }

/**
 * Writes a long body piece by piece, the next when the one before was taken: of what nobody reads little is held beside its
 * text. Resolves when all of it was taken, or the reader has gone, or was cut because it took too long.
 */
async function streamBody(
  response: ServerResponse,
  connection: Socket,
  { texts, bytes, coding }: LongBody,
  pace: Pace,
): Promise<void> {
  // A pipelined request waits until those before it were answered; what is written earlier is buffered.
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

/** Compresses pieces as they are read, in another thread. Ends when its reader does. */
function compressed(texts: readonly string[], coding: Coding): AsyncIterable<Buffer> {
  return pipeline(copied(texts), compressor(coding), () => {})
}

/** Waits for an event of a response, or until what carries it is closed. */
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
