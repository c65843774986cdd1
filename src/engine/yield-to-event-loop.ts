import { runtime } from '../runtime/runtime.ts'

/**
 * How long work may go on before others of this process get their turn, in milliseconds. A request of theirs takes several turns
 * of the event loop, and waits in each.
 */
const turnMs = 4

/**
 * Lets other work of this process run when this turn has lasted long enough. For long loops: SQLite answers at once, so
 * that without it a large import would block every other request. Of all that give way one goes on in each turn of the event
 * loop, so that many together hold it no longer than one.
 */
export async function yieldToEventLoop(): Promise<void> {
  const yielding = runtime.yielding()
  if (runtime.uptime() < yielding.turnEnds) return
  await new Promise<void>((goOn) => {
    yielding.waiting.push(goOn)
    if (yielding.waiting.length === 1) void goOnInTurns(yielding)
  })
}

async function goOnInTurns(yielding: ReturnType<typeof runtime.yielding>): Promise<void> {
  do {
    await runtime.turn()
    yielding.turnEnds = runtime.uptime() + turnMs
    yielding.waiting.shift()!()
  } while (yielding.waiting.length > 0)
}

/** Does it for one slice of a list after the other; others get their turn after each. */
export async function inSlices<T>(
  list: readonly T[],
  atOnce: number,
  task: (some: T[]) => Promise<void> | void,
): Promise<void> {
  for (let from = 0; from < list.length; from += atOnce) {
    await task(list.slice(from, from + atOnce))
    await yieldToEventLoop()
  }
}

/** Texts that are sorted at once: a few milliseconds. */
const textsAtOnce = 4096
/** Texts that are joined at once: some hundred thousand characters. */
const joinedAtOnce = 512

/** The texts in order. Fifty thousand at once would keep the others waiting for 60 ms. */
export async function sortInTurns(texts: readonly string[]): Promise<string[]> {
  let runs: string[][] = []
  await inSlices(texts, textsAtOnce, (some) => void runs.push(some.sort()))
  while (runs.length > 1) {
    const merged: string[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(merge(runs[at]!, runs[at + 1] ?? []))
      await yieldToEventLoop()
    }
    runs = merged
  }
  return runs[0] ?? []
}

/** The texts with commas between them, in pieces: in one they would be copied at once, for 30 ms and more. */
export async function joinInTurns(texts: readonly string[]): Promise<string[]> {
  const pieces: string[] = []
  await inSlices(texts, joinedAtOnce, (some) => {
    pieces.push(`${pieces.length === 0 ? '' : ','}${some.join(',')}`)
  })
  return pieces
}

/** Of two lists in order, one. */
function merge(one: readonly string[], other: readonly string[]): string[] {
  const merged: string[] = []
  let at = 0
  for (const text of one) {
    while (at < other.length && other[at]! < text) merged.push(other[at++]!)
    merged.push(text)
  }
  for (; at < other.length; at++) merged.push(other[at]!)
  return merged
}
