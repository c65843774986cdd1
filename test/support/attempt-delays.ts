const hour = 3_600_000

/** How long after the attempt before each is made (decisions 9): a copy of its own, so that neither may drift. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5_000,
  300_000,
  1_800_000,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
