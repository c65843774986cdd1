/** The mulberry32 generator. */
export function seededRandom(seed: number): (bytes: number) => Uint8Array {
  let state = seed >>> 0
  return (bytes) => {
    const result = new Uint8Array(bytes)
    for (let i = 0; i < bytes; i++) {
      state = (state + 0x6d2b79f5) >>> 0
      let t = Math.imul(state ^ (state >>> 15), state | 1)
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
      result[i] = ((t ^ (t >>> 14)) >>> 0) & 0xff
    }
    return result
  }
}
