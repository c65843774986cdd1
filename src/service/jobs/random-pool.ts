import { randomBytes } from 'node:crypto'

const poolBytes = 4096

/** Random bytes, drawn from the system in larger pieces: by themselves sixteen take 3 µs. No byte is given out twice. */
export function randomPool(): (bytes: number) => Uint8Array {
  let pool = new Uint8Array()
  let used = 0
  return (bytes) => {
    if (bytes > poolBytes / 4) return randomBytes(bytes)
    if (used + bytes > pool.length) {
      pool = randomBytes(poolBytes)
      used = 0
    }
    used += bytes
    return pool.subarray(used - bytes, used)
  }
}
