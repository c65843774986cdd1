import type { World } from './world.ts'

/** Throws `Unmet` with what was seen instead, `Unseen` where this service cannot show it. */
type Run = (world: World) => Promise<void>

/** One clause that can be seen from outside. */
export type Check = {
  /** `4.4-3`: the third clause of part 4.4; `D3-2`: the second of decisions 3. */
  clause: string
  text: string
  /** Set if only HTTP shows it; in process it is not seen. */
  over?: 'http'
  run: Run
}

/** One clause that cannot be seen from outside; `coveredBy`: the test that sees it, as `file: title`. */
type Hidden = { clause: string; text: string; coveredBy: string }

export type Entry = Check | Hidden

/**
 * Clauses by `number text`, as in `4.4-3 the text of the clause`: each with the check that sees it, or the test that does
 * where no check can, as `file: title`.
 */
export function entriesOf(
  clauses: Readonly<Record<string, Run | Pick<Check, 'over' | 'run'> | string>>,
): Entry[] {
  return Object.entries(clauses).map(([title, seen]) => {
    const at = title.indexOf(' ')
    const named = { clause: title.slice(0, at), text: title.slice(at + 1) }
    if (typeof seen === 'string') return { ...named, coveredBy: seen }
    return { ...named, ...(typeof seen === 'function' ? { run: seen } : seen) }
  })
}

/** A check of what only HTTP shows. */
export function overHttp(run: Run): Pick<Check, 'over' | 'run'> {
  return { over: 'http', run }
}
