export type Move<State, Step> = { step: Step; to: State }

export type Walks<State, Step> = ReadonlyArray<{ readonly state: State; readonly steps: readonly Step[] }>

type MovesFrom<State, Step> = (state: State) => Array<Move<State, Step>>
type KeyOf<State> = (state: State) => string

/** The start itself, then nearest first; of equal paths, the one whose moves are listed first. Cached: graphs have few states. */
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
