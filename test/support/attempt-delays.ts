const hour = 3_600_000

/** The delay of each attempt after the previous one (ruling 9): a separate copy, so that neither drifts. */
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
