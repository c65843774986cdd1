import { setImmediate } from 'node:timers/promises'

/** How long work may go on before others of this process get their turn, in milliseconds. */
const turnMs = 20

let turnEnds = 0

/**
 * Lets other work of this process run when this turn has lasted long enough. For long loops: SQLite answers at once, so
 * that without it a large import would block every other request.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() < turnEnds) return
  await setImmediate()
  turnEnds = performance.now() + turnMs
}
