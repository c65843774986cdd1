export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Median milliseconds of each of several tasks, run in turns so that other load affects them alike. The first turn warms up
 * and does not count. Slow tasks run fewer times.
 */
export async function takeTurns(
  tasks: ReadonlyArray<() => unknown>,
  turns: number,
  patienceMs = 5000,
): Promise<number[]> {
  const times = tasks.map((): number[] => [])
  const started = performance.now()
  for (let turn = 0; turn <= turns; turn++) {
    for (const [at, task] of tasks.entries()) {
      const from = performance.now()
      await task()
      if (turn > 0) times[at]?.push(performance.now() - from)
    }
    if (turn > 0 && performance.now() - started > patienceMs) break
  }
  return times.map(median)
}

/** Prints a result and its limit; a miss sets the exit code. */
export function report(name: string, measured: string, value: number, limit: number, unit: string): void {
  const verdict = value <= limit ? 'ok' : 'MISSED'
  console.log(`${name.padEnd(36)}${measured.padEnd(34)}limit ${limit}${unit}`.padEnd(88) + verdict)
  if (verdict === 'MISSED') process.exitCode = 1
}

/** A measurement without a limit. */
export function note(name: string, measured: string): void {
  console.log(`${name.padEnd(36)}${measured}`)
}

/** Milliseconds in a readable form. */
export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}
