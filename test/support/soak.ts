/** `npm run test:soak`: the same campaigns, long. */
export const isLong = process.env.MODE === 'soak'

/** Chance that can be had again: CUSTODY_SEED, else a new one; it stands in the names of the tests. */
export const seed = Number(process.env.CUSTODY_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** The first for `npm test`, the second for a soak. */
export function scale(short: number, long: number): number {
  return isLong ? long : short
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function chanceOf(from: number): () => number {
  let state = from >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
