/** `npm run test:soak`: the same campaigns, longer. */
export const isLong = process.env.MODE === 'soak'

/** CUSTODY_SEED, otherwise the same in every `npm test` and a new one in a soak; the tests' names contain it. */
export const seed = Number(process.env.CUSTODY_SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 1))

/** The first for `npm test`, the second for a soak. */
export function scale(short: number, long: number): number {
  return isLong ? long : short
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function chanceOf(from: number): () => number {
  let state = from >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
