import { runtime } from '../runtime/runtime.ts'

/** Milliseconds of work before others get a turn: a request needs several turns of the event loop and waits in each. */
const turnMs = 4

/** For long loops: SQLite is synchronous, so an import would block all requests. One waiting task resumes in each turn. */
export async function yieldToEventLoop(): Promise<void> {
  const yielding = runtime.yielding()
  if (runtime.uptime() < yielding.turnEnds) return
  await new Promise<void>((goOn) => {
    yielding.waiting.push(goOn)
    if (yielding.waiting.length === 1) void continueInTurns(yielding)
  })
}

async function continueInTurns(yielding: ReturnType<typeof runtime.yielding>): Promise<void> {
  do {
    await runtime.turn()
    yielding.turnEnds = runtime.uptime() + turnMs
    yielding.waiting.shift()!()
  } while (yielding.waiting.length > 0)
}

/** Between transactions that no request waits for: a request needs some turns of the event loop until its own is in line. */
export async function letRequestsIn(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await runtime.turn()
}

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

/** Texts sorted at once: a few milliseconds. */
const textsAtOnce = 4096
/** Texts joined at once: some hundred thousand characters. */
const joinedAtOnce = 512

/** Yields while sorting: 50,000 texts at once would block others for 60 ms. */
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

/** In pieces: copying a single string would take 30 ms or more. */
export async function joinInTurns(texts: readonly string[]): Promise<string[]> {
  const pieces: string[] = []
  await inSlices(texts, joinedAtOnce, (some) => {
    pieces.push(`${pieces.length === 0 ? '' : ','}${some.join(',')}`)
  })
  return pieces
}

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
