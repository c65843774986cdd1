import type { World } from './world.ts'

/** Throws `Unmet` if the service does something else, or `Unseen` if this service cannot show the clause. */
type Run = (world: World) => Promise<void>

export type Check = {
  /** `4.4-3`: the third clause of part 4.4; `D3-2`: the second of decisions 3. */
  clause: string
  text: string
  /** Set if only HTTP shows the clause: a run in process skips it. */
  over?: 'http'
  run: Run
}

/** A clause that cannot be checked from outside. `coveredBy`: the test that checks it, as `file: title`. */
type Hidden = { clause: string; text: string; coveredBy: string }

export type Entry = Check | Hidden

/** Keys are `number text`, as in `4.4-3 the text of the clause`. A string names the test that covers a clause without a check. */
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

export function overHttp(run: Run): Pick<Check, 'over' | 'run'> {
  return { over: 'http', run }
}
