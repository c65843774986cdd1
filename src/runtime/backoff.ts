/** The pause before the second try, and the longest before any. */
export type Backoff = { firstMs: number; mostMs: number }

/** Milliseconds until the next try after so many failures: twice as long each time, less up to half of it by `chance` in [0, 1). */
export function backoffMs({ firstMs, mostMs }: Backoff, failures: number, chance: number): number {
  return Math.round(Math.min(firstMs * 2 ** (failures - 1), mostMs) * (0.5 + chance / 2))
}
