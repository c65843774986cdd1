import type { Ending } from './exit-codes.ts'

export type FieldProblems = Readonly<Record<string, readonly string[]>>

/** Only `failure.ts` turns it into an exit code. */
export class CliError extends Error {
  readonly ending: Ending
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

/** The operator answered no: no error, so it is printed without the command's name. */
export class Declined extends CliError {
  constructor() {
    super('interrupted', 'Nothing was changed.')
  }
}

export function usage(message: string, hint?: string): CliError {
  return new CliError('usage', message, hint === undefined ? {} : { hint })
}

export function invalid(message: string, hint?: string): CliError {
  return new CliError('invalid', message, hint === undefined ? {} : { hint })
}
