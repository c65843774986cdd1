import type { World } from './world.ts'

/** One clause that can be seen from outside. */
export type Check = {
  /** `4.4-3`: the third clause of part 4.4; `D3-2`: the second of decisions 3. */
  clause: string
  text: string
  /** Set where only HTTP has what is looked at; in process it is not seen. */
  over?: 'http'
  /** Throws `Unmet` with what was seen instead, `Unseen` where this service cannot show it. */
  run: (world: World) => Promise<void>
}

/** One clause that cannot be seen from outside; `coveredBy`: the test that sees it, as `file: title`. */
export type Hidden = { clause: string; text: string; coveredBy: string }

export type Entry = Check | Hidden
