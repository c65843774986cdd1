import type { Json } from '../contract/call.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { ReadContext, UnitOfWork } from './context.ts'

/** Rendered when found, because rendering 50,000 at once takes a third of a second. */
export type RenderedError = { row: number; text: Json<CsvRowError> }

export type StepPart = {
  created: string[]
  errors: RenderedError[]
  /** Rows that an earlier request carried out, rendered. */
  repeated?: string[]
  /** The manifest being submitted, once a line is inserted. */
  manifestId?: string
}

/** A long write in steps: other writes run in between, and finished steps are kept. */
export type SteppedWrite = {
  /** The place at which the write is complete; places count from 0. */
  end: number
  /** The queries of the first step, sent with the claim of its scope to save their round trip. May run again. Rejects nothing. */
  asks?(view: ReadContext): Promise<void>
  /** Does some milliseconds of work, adds its result to `part`, and returns the next place. */
  take(work: UnitOfWork, place: number, part: StepPart): Promise<number>
  /** The answer's exact bytes, in pieces because it may be long. */
  answer(parts: readonly StepPart[]): Promise<readonly string[]>
}

/** The `end` of a write that itself decides when it is complete. */
export const atLast = 2 ** 40

/** Milliseconds after which a step ends and other writes get a turn. */
const stepMs = 15

export function stepTimer({ uptime }: Pick<UnitOfWork['sources'], 'uptime'>): () => boolean {
  const until = uptime() + stepMs
  return () => uptime() < until
}
