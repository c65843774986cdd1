/** A step that may be taken from a state, and the state it leads to. */
export type Move<State, Step> = { step: Step; to: State }

/** States that can be reached, each with the fewest steps to it. */
export type Walks<State, Step> = ReadonlyArray<{ readonly state: State; readonly steps: readonly Step[] }>

type MovesFrom<State, Step> = (state: State) => Array<Move<State, Step>>
type KeyOf<State> = (state: State) => string

/**
 * Every state that can be reached from a start (itself first, by no step), each by its shortest path, nearest first:
 * the first one that serves is the shortest way. Of paths of equal length the one whose moves are listed first wins.
 * The graph has few states, so that what was found from a start is kept.
 */
export function walksOf<State, Step>(
  movesFrom: MovesFrom<State, Step>,
  keyOf: KeyOf<State>,
): (start: State) => Walks<State, Step> {
  const found = new Map<string, Walks<State, Step>>()
  return (start) => {
    const key = keyOf(start)
    const walks = found.get(key) ?? walksFrom(start, movesFrom, keyOf)
    found.set(key, walks)
    return walks
  }
}

function walksFrom<State, Step>(
  start: State,
  movesFrom: MovesFrom<State, Step>,
  keyOf: KeyOf<State>,
): Walks<State, Step> {
  const seen = new Set([keyOf(start)])
  const walks = [{ state: start, steps: [] as Step[] }]
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
