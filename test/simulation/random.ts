import { hash } from 'node:crypto'

/** Random numbers that are the same for the same seed on every machine: sfc32, seeded with a text's SHA-256. */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number
  is(probability: number): boolean
  pick<T>(from: readonly T[]): T
  bytes(count: number): Uint8Array
}

export function randomOf(seed: string): Random {
  const digest = hash('sha256', seed, 'buffer')
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [number, number, number, number]
  const word = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  const next = (): number => word() / 2 ** 32
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    is: (probability) => next() < probability,
    pick: (from) => from[int(from.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() & 0xff),
  }
}
