/** Waiting items by scope; whose turn it is follows from what each scope has cost so far. */
export type Turns<T> = {
  add(scope: number, item: T): void
  /** Removes the next item among scopes that pass `fits`; each scope's items keep their order. */
  take(fits?: (item: T, scope: number) => boolean): { scope: number; item: T } | undefined
  /** Like `add` and `take` in one, if no waiting item could be taken. */
  pass(scope: number): void
  /** Returns an item that was taken but not started to the head of its scope. */
  putBack(scope: number, item: T): void
  charge(scope: number, ms: number): void
  waitingOf(scope: number): number
  readonly waiting: number
}

type Line<T> = { items: T[]; spent: number; servedAt: number }

/** The least an item costs, so that one scope never gets two turns while another has waited as long. */
const leastMs = 0.05
/** The most a scope can owe, so that a minute of work does not make it wait a minute. */
const debtMsMax = 5_000
/** From this many scopes on, those without debt are forgotten. */
const forgetFrom = 64

/**
 * Start-time fair queueing: the scope that has spent the fewest milliseconds goes first. A returning scope starts level, so it
 * cannot save up, and waits for at most one item of each other scope. Unlike deficit round robin, no cost must be known
 * beforehand.
 */
export function createTurns<T>(): Turns<T> {
  const ledger = createLedger<T>()
  const { lines, lineOf } = ledger
  let waiting = 0
  return {
    get waiting() {
      return waiting
    },
    waitingOf: (scope) => lines.get(scope)?.items.length ?? 0,
    add(scope, item) {
      ledger.join(scope).items.push(item)
      waiting += 1
    },
    pass: (scope) => ledger.serve(lineOf(scope)),
    take(fits) {
      const scope = firstOf(lines, fits)
      if (scope === undefined) return undefined
      const line = lineOf(scope)
      ledger.serve(line)
      waiting -= 1
      return { scope, item: line.items.shift()! }
    },
    putBack(scope, item) {
      lineOf(scope).items.unshift(item)
      waiting += 1
    },
    charge: ledger.charge,
  }
}

function createLedger<T>() {
  const lines = new Map<number, Line<T>>()
  /** Milliseconds that the last scope served had spent: no waiting scope has spent less. */
  let reached = 0
  let served = 0
  let forgetAt = forgetFrom
  const lineOf = (scope: number): Line<T> => {
    let line = lines.get(scope)
    if (line) return line
    if (lines.size >= forgetAt) {
      forgetIdle(lines, reached)
      forgetAt = 2 * lines.size + forgetFrom
    }
    line = { items: [], spent: reached, servedAt: 0 }
    lines.set(scope, line)
    return line
  }
  return {
    lines,
    lineOf,
    join(scope: number): Line<T> {
      const line = lineOf(scope)
      if (line.items.length === 0) line.spent = Math.max(line.spent, reached)
      return line
    },
    serve(line: Line<T>): void {
      reached = Math.max(reached, line.spent)
      line.spent = reached + leastMs
      line.servedAt = served += 1
    },
    charge(scope: number, ms: number): void {
      const line = lineOf(scope)
      line.spent = Math.min(Math.max(line.spent, reached) + ms, reached + debtMsMax)
    },
  }
}

/** The scope that has spent least; of several, the one that has waited longest. */
function firstOf<T>(
  lines: ReadonlyMap<number, Line<T>>,
  fits: ((item: T, scope: number) => boolean) | undefined,
): number | undefined {
  let first: number | undefined
  let best: Line<T> | undefined
  for (const [scope, line] of lines) {
    const [item] = line.items
    if (item === undefined || (fits && !fits(item, scope))) continue
    const isBefore =
      !best || line.spent < best.spent || (line.spent === best.spent && line.servedAt < best.servedAt)
    if (isBefore) [first, best] = [scope, line]
  }
  return first
}

/** A scope without debt is equivalent to a new one. */
function forgetIdle<T>(lines: Map<number, Line<T>>, reached: number): void {
  for (const [scope, { items, spent }] of lines)
    if (items.length === 0 && spent <= reached) lines.delete(scope)
}
