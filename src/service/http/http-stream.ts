import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Coding } from '../../contract/call.ts'
import { runtime } from '../../runtime/runtime.ts'
import { bytesInTurns } from '../pipeline/text-pieces.ts'
import { compressor } from '../representation/content-coding.ts'
import type { Pace } from './http-connections.ts'

/** The texts of a body one after the other, their bytes together, and how these are compressed. */
type LongBody = { texts: readonly string[]; bytes: number; coding: Coding | undefined }

/**
 * Writes a long body piece by piece, the next when the one before was taken: of what nobody reads little is held beside its
 * text. Resolves when all of it was taken, or the reader has gone, or was cut because it took too long.
 */
export async function streamBody(
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
