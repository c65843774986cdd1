import { ServiceError } from '../../client/client.ts'
import { NetworkError, type NetworkFault } from '../../client/network-error.ts'
import type { ErrorCode } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { Rejection } from '../../domain/rejection.ts'
import { beforeAnyChange, CliError, Declined, type Ending, type FieldProblems } from './cli-error.ts'
import { embeddedBaseUrl } from './embedded-base-url.ts'
import { systemFault } from './system-fault.ts'

export type Failure = {
  ending: Ending
  /** The wire's error code if any, otherwise the ending. */
  code: string
  message: string
  hint?: string | undefined
  fields: FieldProblems
  extra: Readonly<Record<string, unknown>>
  requestId?: string | undefined
  stack?: string | undefined
  isDeclined?: boolean
}

/** By the error code in the body, not the status (part 7). */
const endingsOfCodes: Readonly<Record<ErrorCode | 'internal_error', Ending>> = {
  validation_error: 'invalid',
  unsupported_destination: 'invalid',
  state_conflict: 'conflict',
  environment_mismatch: 'key_refused',
  invalid_api_key: 'key_refused',
  not_found: 'not_found',
  rate_limited: 'rate_limited',
  internal_error: 'unreachable',
}

/** Reports through `saying` that the work is done although a later step failed. Rethrows interrupts and bugs. */
export function afterDone(
  error: unknown,
  notice: (text: string) => void,
  saying: (why: string) => string,
): void {
  const { message, ending } = failureOf(error)
  const isThrown = ending === 'interrupted' || ending === 'internal'
  notice(saying(isThrown ? '.' : `: ${message}`))
  if (isThrown) throw error
}

/** The only place where an error becomes an ending, and so an exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    const { ending, message, hint, fields } = error
    return failure(ending, message, { hint, fields, isDeclined: error instanceof Declined })
  }
  if (error instanceof Advised) return { ...failureOf(error.error), hint: error.hint }
  if (error instanceof ServiceError) return serviceFailure(error)
  if (error instanceof NetworkError) {
    // In process there is no network: an unreadable answer means unreadable data in the database.
    if (error.message.includes(embeddedBaseUrl)) return internalFailure(new Error('an answer cannot be read'))
    const { fault, message, advice, cause } = error
    const ending: Ending = fault === 'unsendable' ? 'usage' : 'unreachable'
    const hint =
      advice ?? own(certificateHints, String((cause as { code?: unknown })?.code)) ?? networkHints[fault]
    return failure(ending, `${message}.`, { hint, extra: { fault } })
  }
  if (error instanceof Rejection) {
    const { code, message, extra } = error
    return { ending: endingOf(code, 400), code, message, fields: fieldsOf(extra), extra }
  }
  if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name))
    return failureOf(beforeAnyChange())
  if (error instanceof Error && error.name === 'AbortError') return failure('interrupted', 'Interrupted.')
  if (error instanceof Error && error.name === 'ProgramReplaced') {
    return failure('internal', error.message, { hint: 'Start the command again.' })
  }
  const fault = systemFault(error)
  if (fault === undefined) return internalFailure(error)
  const { place = 'A file', text } = fault
  return failure('unreachable', `${place} cannot be used: ${text}.`, { stack: (error as Error).stack })
}

const keyRejected = 'The service does not accept this API key: it may be wrong, expired, or revoked.'

function serviceFailure(error: ServiceError): Failure {
  const { code, status, message, extra, headers, advice } = error
  // The wire reports an unreachable target status as validation_error.
  const ending = Array.isArray(extra.reachable) ? 'conflict' : endingOf(code, status)
  return {
    ending,
    code: code || ending,
    message: code === 'invalid_api_key' ? keyRejected : message,
    hint: advice ?? hintOf(ending, error),
    fields: fieldsOf(extra),
    extra,
    requestId: headers['x-request-id'],
  }
}

const networkHints: Readonly<Record<NetworkFault, string>> = {
  unreachable: 'Check the address and that the service is running.',
  unknown_host: 'Check the address.',
  untrusted: 'For your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.',
  timeout: 'Try again in a moment.',
  broken: 'Try again in a moment.',
  unsendable: 'Check the key and the options.',
  foreign: 'Check the address.',
}

const certificateHints: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'It is for another host: check the address.',
  CERT_HAS_EXPIRED: "It has expired: check this machine's clock, or ask who runs the service.",
}

/** An answer without a code is not from a custody service, so only its status counts. */
function endingOf(code: string, status: number): Ending {
  const ending = own<Ending>(endingsOfCodes, code)
  if (ending !== undefined) return ending
  if (status === 401 || status === 403) return 'key_refused'
  if (status === 404) return 'not_offered'
  if (status === 409) return 'conflict'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'unreachable' : 'invalid'
}

export function missingHint(error: unknown, commandName: string): string | undefined {
  if (!(error instanceof ServiceError) || endingOf(error.code, error.status) !== 'not_found') return undefined
  // Production lacks these commands (4.3).
  const place = / sandbox /.test(commandName) ? 'the target is a sandbox' : 'it belongs to this target'
  return `${['Check the identifier', ...Object.values(error.params)].join(' ')}, and that ${place}.`
}

function hintOf(ending: Ending, { message, extra }: ServiceError): string | undefined {
  if (ending === 'key_refused')
    return 'See which key is used with custody whoami, and save another with custody init.'
  if (ending === 'unreachable' || ending === 'rate_limited')
    return /try again/i.test(message) ? undefined : 'Try again in a moment.'
  if (ending === 'conflict' && namesKey({ extra })) return 'Give another --idempotency-key.'
  if (Array.isArray(extra.reachable))
    return `From there: ${[extra.reachable_stages ?? [], extra.reachable].flat().join(', ') || 'none'}.`
  return undefined
}

function internalFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return failure('internal', `a bug in custody: ${message.replace(/\.$/, '')}.`, {
    code: 'internal_error',
    hint: '--debug shows where.',
    stack: error instanceof Error ? error.stack : undefined,
  })
}

function failure(ending: Ending, message: string, more: Partial<Failure> = {}): Failure {
  return { ending, code: ending, message, fields: {}, extra: {}, ...more }
}

export function namesKey({ extra }: Pick<ServiceError, 'extra'>): boolean {
  return fieldsOf(extra)['Idempotency-Key'] !== undefined
}

function fieldsOf(extra: Readonly<Record<string, unknown>>): FieldProblems {
  return (extra.fields ?? {}) as FieldProblems
}

/** An error with the command's own hint, which is more precise than the one for the error's code. */
export class Advised extends Error {
  readonly error: ServiceError | Rejection
  readonly hint: string
  constructor(error: ServiceError | Rejection, hint: string) {
    super(error.message)
    this.name = 'Advised'
    this.error = error
    this.hint = hint
  }
}

export function adviseOnConflict(hint: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ServiceError && error.status === 409) throw new Advised(error, hint)
    if (error instanceof Rejection && error.code === 'state_conflict') throw new Advised(error, hint)
    throw error
  }
}
