import { closestName } from '../../domain/closest-name.ts'

export type FieldProblems = Readonly<Record<string, readonly string[]>>

/** Only `failure.ts` turns it into an exit code. */
export class CliError extends Error {
  readonly ending: Ending
  readonly hint: string | undefined
  readonly fields: FieldProblems
  constructor(
    ending: Ending,
    message: string,
    more: { hint?: string | undefined; fields?: FieldProblems } = {},
  ) {
    super(message)
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
  return new CliError('usage', message, { hint })
}

export function rejectTwo(given: Readonly<Record<string, unknown>>, hint?: string): void {
  const names = Object.keys(given).filter((name) => given[name])
  if (names.length > 1) throw usage(`${names.join(' and ')} cannot be used together.`, hint)
}

export function beforeAnyChange(): CliError {
  return new CliError('interrupted', 'Interrupted; nothing was changed.')
}

export function invalid(message: string, hint?: string): CliError {
  return new CliError('invalid', message, { hint })
}

export function didYouMean<T extends string | undefined>(
  name: string,
  known: readonly string[],
  otherwise: T,
): string | T {
  const meant = closestName(name, known)
  return meant === null ? otherwise : `Did you mean ${meant}?`
}

/** Scripts rely on these numbers (`custody help exit-codes`). */
export const exitCodes = {
  ok: 0,
  internal: 1,
  usage: 2,
  key_refused: 3,
  not_found: 4,
  conflict: 5,
  invalid: 6,
  rate_limited: 7,
  unreachable: 8,
  some_failed: 9,
  not_offered: 10,
  interrupted: 130,
} as const

export type Ending = keyof typeof exitCodes

export const endings: Record<Ending, string> = {
  ok: 'done',
  internal: 'a bug in custody; run again with --debug and report it',
  usage: 'wrong usage: an unknown command or option, a missing value, a file that cannot be read',
  key_refused: 'the API key is missing, invalid, or for the other environment',
  not_found: 'no such resource for this partner and environment',
  conflict: 'the state of the resource prevents the action',
  invalid: 'the input is not valid; nothing was changed',
  rate_limited: 'too many requests; try again later',
  unreachable: 'the service, the database, or the output cannot be reached or used',
  some_failed: 'some rows, items, or checks failed; the others succeeded',
  not_offered: 'this service does not offer the operation',
  interrupted: 'interrupted',
}

export function notOneOf(what: string, given: string, known: readonly string[]): CliError {
  const message = `${what}: "${given}" is not one of ${known.join(', ')}.`
  return usage(message, didYouMean(given, known, undefined))
}

/** Names separated by commas, each one of the known. Throws `usage`. */
export function namesAmong<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  return text.split(',').map((part) => {
    const name = part.trim()
    const found = known.find((each) => each === name)
    if (found !== undefined) return found
    throw notOneOf(flag, name, known)
  })
}
