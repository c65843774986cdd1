/** A fast generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function pick<T>(next: () => number, choices: readonly T[]): T {
  return choices[Math.floor(next() * choices.length)]!
}

/** One of the choices, by weight. */
export function pickWeighted<T>(next: () => number, choices: ReadonlyArray<readonly [T, number]>): T {
  let rest = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [choice, weight] of choices) {
    rest -= weight
    if (rest < 0) return choice
  }
  return choices[0]![0]
}
