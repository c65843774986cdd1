import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Coding } from '../../contract/call.ts'
import { runtime } from '../../runtime/runtime.ts'
import { piecesInTurns } from '../pipeline/text-pieces.ts'
import { compressor } from '../representation/content-coding.ts'
import type { Pace } from './http-connections.ts'

/**
 * Writes a long body piece by piece, the next when the one before was taken: of what nobody reads little is held beside its
 * text. Resolves when all of it was taken, or the reader has gone, or was cut because it took too long.
 */
export async function streamBody(
  response: ServerResponse,
  connection: Socket,
  body: string,
  pace: Pace,
  coding?: Coding,
): Promise<void> {
  await turnOf(response, connection)
  const isOver = (): boolean => response.closed || connection.destroyed
  const msMax = pace.freeMs + (body.length / pace.bytesPerS) * 1000
  const callOff = runtime.after(msMax, () => connection.resetAndDestroy())
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
    callOff()
  }
}

/** A request that was sent before those ahead of it were answered waits until they are: what is written before is kept. */
function turnOf(response: ServerResponse, connection: Socket): Promise<void> | undefined {
  if (response.socket || connection.destroyed) return undefined
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('socket', done)
      connection.off('close', done)
      resolve()
    }
    response.once('socket', done)
    connection.once('close', done)
  })
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
