import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Coding } from '../../contract/call.ts'
import { piecesInTurns } from '../pipeline/text-pieces.ts'
import { compressor } from '../representation/content-coding.ts'
import type { Pace } from './http-connections.ts'

/**
 * Writes a long body piece by piece, the next when the one before was taken: of what nobody reads little is held beside its
 * text. Resolves when all of it was taken, or the reader has gone, or was cut because it took too long.
 */
export async function streamBody(
  response: ServerResponse,
  body: string,
  pace: Pace,
  coding?: Coding,
): Promise<void> {
  const { socket } = response
  const isOver = (): boolean => response.closed || !socket || socket.destroyed
  const msMax = pace.freeMs + (body.length / pace.bytesPerS) * 1000
  const cut = setTimeout(() => socket?.resetAndDestroy(), Math.min(msMax, 2 ** 31 - 1))
  try {
    for await (const piece of coding ? compressed(body, coding) : copied(body)) {
      if (isOver()) return
      if (!response.write(piece)) await either(response, 'drain')
    }
    if (isOver()) return
    const taken = either(response, 'finish')
    response.end()
    await taken
  } finally {
    clearTimeout(cut)
  }
}

/** Copied: the next piece takes its place, and this one may still be waiting to be taken. */
async function* copied(body: string): AsyncGenerator<Buffer, void> {
  for await (const piece of piecesInTurns(body)) yield Buffer.from(piece)
}

/** Compressed as it is taken, each piece in a thread aside. Ends with whoever takes it. */
function compressed(body: string, coding: Coding): AsyncIterable<Buffer> {
  return pipeline(copied(body), compressor(coding), () => {})
}

/** Until something happens to a response, or its connection is gone. */
function either(response: ServerResponse, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off(event, done)
      response.off('close', done)
      resolve()
    }
    response.once(event, done)
    response.once('close', done)
  })
}
