// Whether a history of concurrent operations on one object could have happened one after the other. The search follows J. M.
// Wing and C. Gong, "Testing and Verifying Concurrent Objects" (Journal of Parallel and Distributed Computing 17, 1993), with
// the memory of configurations of G. Lowe, "Testing for Linearizability" (Concurrency and Computation: Practice and Experience
// 29, 2017). Objects may be judged one by one because of locality: M. Herlihy and J. Wing, "Linearizability: A Correctness
// Condition for Concurrent Objects" (ACM TOPLAS 12, 1990). It uses nothing of the product or its oracles.

/**
 * An operation as its caller saw it. `end`: null if no answer was heard, so that it may have happened at any time, or never.
 */
export type Operation<Call, Result> = {
  call: Call
  begin: number
  end: number | null
  result: Result | null
  /** It may have had no effect on this object, although it was answered. */
  isOptional?: boolean
}

/**
 * The behaviour of an object. `step`: the states in which a call may leave it with this result, null for any result; none if
 * it is impossible.
 */
export type Specification<State, Call, Result> = {
  initial: State
  step(state: State, call: Call, result: Result | null): readonly State[]
  /** Equal exactly for equal states. */
  key(state: State): string
}

/** Maximum number of configurations before the search gives up. */
const configurationsMax = 2_000_000

/**
 * Whether some order of the operations explains every result; an operation that ended before another began precedes it. Throws
 * if the search grows too large.
 */
export function isLinearizable<State, Call, Result>(
  operations: ReadonlyArray<Operation<Call, Result>>,
  { initial, step, key }: Specification<State, Call, Result>,
): boolean {
  const ordered = [...operations].sort((a, b) => a.begin - b.begin)
  const endOf = ({ end }: Operation<Call, Result>): number => end ?? Number.POSITIVE_INFINITY
  const mayBeLeftOut = ({ end, isOptional }: Operation<Call, Result>): boolean =>
    end === null || isOptional === true
  const seen = new Set<string>()
  const stack: Array<{ done: bigint; state: State }> = [{ done: 0n, state: initial }]
  const visit = (done: bigint, state: State): void => {
    const name = `${done.toString(36)} ${key(state)}`
    if (seen.has(name)) return
    if (seen.size === configurationsMax) throw new Error('too many configurations')
    seen.add(name)
    stack.push({ done, state })
  }
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { done, state } = at
    const left = ordered.filter((_, n) => (done & (1n << BigInt(n))) === 0n)
    if (left.every(mayBeLeftOut)) return true
    // The next operation began before any of the remaining ones ended.
    const limit = Math.min(...left.filter((one) => !mayBeLeftOut(one)).map(endOf))
    for (const [n, one] of ordered.entries()) {
      const bit = 1n << BigInt(n)
      if (done & bit) continue
      if (one.begin > limit) break
      for (const next of step(state, one.call, one.result)) visit(done | bit, next)
      if (mayBeLeftOut(one) && endOf(one) <= limit) visit(done | bit, state)
    }
  }
  return false
}
