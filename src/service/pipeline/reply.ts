import {
  faultMessage,
  JsonText,
  type Reply,
  unavailableMessage,
  unchangedMessage,
} from '../../contract/call.ts'
import type { ErrorCode } from '../../contract/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'

/** The status of every code (part 7); nothing else maps codes to statuses. */
const statuses: Record<ErrorCode, number> = {
  validation_error: 400,
  unsupported_destination: 400,
  invalid_api_key: 401,
  environment_mismatch: 401,
  not_found: 404,
  state_conflict: 409,
  rate_limited: 429,
}

export function statusOf(rejection: Rejection): number {
  return statuses[rejection.code]
}

export const jsonType = { 'content-type': 'application/json; charset=utf-8' }

export function jsonReply(
  status: number,
  text: string | readonly string[],
  headers: Record<string, string> = {},
): Reply {
  if (status === 204) return { status, headers, body: '' }
  const typed = { ...jsonType, ...headers }
  if (typeof text === 'string') return { status, headers: typed, body: text }
  // Unlike `join`, this copies nothing yet.
  const body = text.reduce((whole, piece) => whole + piece, '')
  return { status, headers: typed, body, pieces: text }
}

/** A 401 names the accepted scheme (RFC 9110, 11.6.1); no registered scheme is a header with a key. */
const challenge = 'ApiKey realm="custody", header="X-API-Key"'

export function rejectedReply(rejection: Rejection): Reply {
  const { retry_after_seconds: seconds } = rejection.extra
  const status = statusOf(rejection)
  const headers = {
    ...(typeof seconds === 'number' && { 'retry-after': String(seconds) }),
    ...(status === 401 && { 'www-authenticate': challenge }),
  }
  return jsonReply(status, errorBody(rejection), headers)
}

/** The Error body of 2.12. */
export function errorBody({ code, message, extra }: Rejection): string {
  const start = `{"code":"${code}","message":${JSON.stringify(message)},"extra":{`
  let members = ''
  for (const [name, value] of Object.entries(extra)) {
    const text = value instanceof JsonText ? value.text : JSON.stringify(value)
    if (text !== undefined) members += `${members ? ',' : ''}${JSON.stringify(name)}:${text}`
  }
  return `${start}${members}}}`
}

/** The body reveals only the request's id (decisions 3). */
export function internalErrorReply(requestId: string): Reply {
  const body = {
    code: 'internal_error',
    message: faultMessage,
    extra: { request_id: requestId },
  }
  return jsonReply(500, JSON.stringify(body))
}

/** Nothing was acknowledged, so a retry is right. `isUnknown`: the connection was lost while committing (`extra.outcome`). */
export function unavailableReply(requestId: string, isUnknown = false): Reply {
  const outcome = isUnknown
    ? 'It is not known whether the change was made; try again with the same Idempotency-Key.'
    : unchangedMessage
  const extra = isUnknown ? { outcome: 'unknown' } : {}
  return laterReply(requestId, `${unavailableMessage} ${outcome}`, extra)
}

export function overloadedReply(requestId: string): Reply {
  return laterReply(requestId, `The service is overloaded right now. ${unchangedMessage}`)
}

function laterReply(requestId: string, message: string, extra: Record<string, unknown> = {}): Reply {
  const body = { code: 'internal_error', message, extra: { request_id: requestId, ...extra } }
  return jsonReply(503, JSON.stringify(body), { 'retry-after': '1' })
}
