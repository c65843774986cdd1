/** A step that may be taken from a state, and the state it leads to. */
export type Move<State, Step> = { step: Step; to: State }

/** A state that can be reached and the fewest steps to it. */
export type Walk<State, Step> = { state: State; steps: Step[] }

/**
 * Every state that can be reached from the start (itself first, by no step), each by its shortest path, nearest first:
 * the first one that serves is the shortest way. Of paths of equal length the one whose moves are listed first wins.
 */
export function walksFrom<State, Step>(
  start: State,
  movesFrom: (state: State) => Array<Move<State, Step>>,
  keyOf: (state: State) => string,
): Array<Walk<State, Step>> {
  const seen = new Set([keyOf(start)])
  const walks: Array<Walk<State, Step>> = [{ state: start, steps: [] }]
  // The list grows while it is walked: breadth first.
  for (const walk of walks) {
    for (const { step, to } of movesFrom(walk.state)) {
      const key = keyOf(to)
      if (seen.has(key)) continue
      seen.add(key)
      walks.push({ state: to, steps: [...walk.steps, step] })
    }
  }
  return walks
}
