import type { Ending } from './exit-codes.ts'

export type FieldProblems = Readonly<Record<string, readonly string[]>>

/** Why a command cannot go on, in words for the operator. `failure.ts` alone turns it into an exit code. */
export class CliError extends Error {
  readonly ending: Ending
  /** What to do next. */
  readonly hint: string | undefined
  readonly fields: FieldProblems
  constructor(
    ending: Ending,
    message: string,
    more: { hint?: string; fields?: FieldProblems; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'CliError'
    this.ending = ending
    this.hint = more.hint
    this.fields = more.fields ?? {}
  }
}

/** The command line itself is wrong. */
export function usage(message: string, hint?: string): CliError {
  return new CliError('usage', message, hint === undefined ? {} : { hint })
}

/** What was given cannot be accepted. */
export function invalid(message: string, hint?: string): CliError {
  return new CliError('invalid', message, hint === undefined ? {} : { hint })
}
