import type { Json } from '../contract/call.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { UnitOfWork } from './context.ts'

/** An error as it is answered. Rendered when it is found: rendering fifty thousand at once takes a third of a second. */
export type RenderedError = { row: number; text: Json<CsvRowError> }

/** The result of a part of a write: rendered resources, and the errors of rows. */
export type StepPart = {
  created: string[]
  errors: RenderedError[]
  /** Rows that an earlier request carried out, rendered. */
  repeated?: string[]
  /** The manifest that the write submits, from the first part on that has put a line in. */
  manifestId?: string
}

/** A write that may take long, done in steps: other writes run in between, and finished steps are not lost. */
export type SteppedWrite = {
  /** The place at which the write is complete. A place is a number, starting at 0. */
  end: number
  /** Does the work at a place (some milliseconds) and adds its result to `part`. Answers the next place. */
  take(work: UnitOfWork, place: number, part: StepPart): Promise<number>
  /** The answer's exact bytes, of all parts in their order; in pieces, since it may be long. */
  answer(parts: readonly StepPart[]): Promise<readonly string[]>
}

/** The `end` of a write that says by itself when it is complete: beyond every place. */
export const atLast = 2 ** 40

/** Milliseconds after which a step ends and other writes get their turn. */
const stepMs = 15

/** Whether a step that begins now may go on. */
export function stepTimer({ uptime }: Pick<UnitOfWork['sources'], 'uptime'>): () => boolean {
  const until = uptime() + stepMs
  return () => uptime() < until
}
