/** Who waits, by scope, and whose turn it is by what each scope has cost so far. */
export type Turns<T> = {
  add(scope: number, item: T): void
  /** Takes the next item out, of those scopes that `fits` lets through; each scope's own items keep their order. */
  take(fits?: (item: T, scope: number) => boolean): { scope: number; item: T } | undefined
  /** The same as to add an item and to take it, where nothing that waits could be taken. */
  pass(scope: number): void
  /** Puts an item that was taken and not begun back to the head of its scope. */
  putBack(scope: number, item: T): void
  /** Says what a scope's item has cost, as soon as that is known. */
  charge(scope: number, ms: number): void
  waitingOf(scope: number): number
  readonly waiting: number
}

type Line<T> = { items: T[]; spent: number; servedAt: number }

/** What an item costs at least: two of one scope are then never taken while another has waited just as long. */
const leastMs = 0.05
/** What a scope owes the others at most: one that was busy for a minute is not put last for a minute. */
const debtMsMax = 5_000
/** Scopes kept before those that owe nothing are forgotten. */
const forgetFrom = 64

/**
 * Fair turns between scopes (start-time fair queueing): the scope that has spent least goes first, in milliseconds that are
 * measured afterwards. One that comes back starts where the others are, so it saves up nothing and waits for one item of each
 * other scope at most. Compared with deficit round robin nothing has to be known of an item's cost before.
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

/** What each scope has spent. */
function createLedger<T>() {
  const lines = new Map<number, Line<T>>()
  /** What the scope had spent whose turn came last: nobody who waits has spent less. */
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
    /** The line of a scope that is about to wait. */
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

/** Of those that have spent the same, the one that has waited longest for its turn. */
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

/** A scope that owes nothing is the same as a new one. */
function forgetIdle<T>(lines: Map<number, Line<T>>, reached: number): void {
  for (const [scope, { items, spent }] of lines)
    if (items.length === 0 && spent <= reached) lines.delete(scope)
}
