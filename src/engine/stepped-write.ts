import type { Json } from '../contract/call.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { UnitOfWork } from './context.ts'

/** An error as it is answered: rendered when it is found, since fifty thousand at once would take a third of a second. */
export type RenderedError = { row: number; text: Json<CsvRowError> }

/** What a part of a write has come to: rendered resources, and the errors of rows. */
export type StepPart = {
  created: string[]
  errors: RenderedError[]
  /** The manifest that the write submits, from the first part on that has put a line in. */
  manifestId?: string
}

/** A write that may be long, to be carried out from place to place: others may come between, and what was done is not lost. */
export type SteppedWrite = {
  /** Where all of it is done; a place is a number from 0 on. */
  end: number
  /** Does what comes at a place, some milliseconds of work, and notes in `part` what it came to. Answers the next place. */
  take(work: UnitOfWork, place: number, part: StepPart): Promise<number>
  /** The answer's exact bytes, of all parts in their order. */
  answer(parts: readonly StepPart[]): Promise<string>
}

/** Where a write is over that tells by itself when it is: beyond every place. */
export const atLast = 2 ** 40

/** Milliseconds after which a step ends and others come in between. */
const stepMs = 15

/** Whether a step that begins now may go on. */
export function stepTimer({ uptime }: Pick<UnitOfWork['sources'], 'uptime'>): () => boolean {
  const until = uptime() + stepMs
  return () => uptime() < until
}
