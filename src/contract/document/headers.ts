import { repeatsWords } from '../enums.ts'
import {
  closeGraceDaysDefault,
  dayMs,
  idempotencyKeyMax,
  repeatsDaysDefault,
  replayedMs,
  waitSecondsMax,
} from '../limits.ts'
import type { Operation } from '../operation.ts'
import { ids } from './examples/examples.ts'
import type { Schema } from './schemas.ts'

export const responseHeaders = {
  'X-Request-Id': text(
    "Identifies this request in the service's logs: the id you sent, or a new one.",
    ids.request,
    128,
  ),
  RateLimit: text(
    "The key's remaining quota: `r` requests now, and the full quota again after `t` seconds. Sent with every response to a valid key.",
    '"key";r=49;t=1',
  ),
  'RateLimit-Policy': text(
    "The key's quota: `q` requests within `w` seconds. Sent with `RateLimit`.",
    '"key";q=50;w=2',
  ),
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 1,
  },
  'Idempotency-Replayed': mark(
    '`true` if this is the stored result of an earlier request with the same `Idempotency-Key`. The request was not carried out again.',
  ),
  'Idempotency-Mismatch': mark(
    '`true`, together with `Idempotency-Replayed`, if the earlier request had a different body. The new request was not carried out; send it with a new key.',
  ),
  'Custody-Repeated': mark(
    '`true` if an earlier request already created the resource. The response shows its current state, and nothing was created again. Only under `Custody-Repeats: skip`.',
  ),
  'Custody-Partner': text(
    'The partner that owns the items: its name (percent-encoded), the environment of the key, the number of days after which an overdue manifest closes automatically, and the number of days for which an equal order without a reference counts as a repeat.',
    `Northgate%20Cards;environment=sandbox;close_grace_days=${closeGraceDaysDefault};repeats_days=${repeatsDaysDefault}`,
    2048,
  ),
  'Preference-Applied': text(
    'The preference that was applied (RFC 7240): `wait=N`, or `last=N` as sent.',
    'wait=30',
  ),
  ETag: text(
    'Identifies this version of the response. Send it as `If-None-Match` to get a 304 if nothing has changed. Not sent with `Preference-Applied`.',
    'W/"Zl8J2sFkR0b3nqPpXv6sT0r9u4E"',
  ),
  Vary: text(
    'The response may be compressed (zstd or gzip), depending on `Accept-Encoding`.',
    'Accept-Encoding',
  ),
  'WWW-Authenticate': text(
    'How to authenticate (RFC 9110): with an API key in `X-API-Key`.',
    'ApiKey realm="custody", header="X-API-Key"',
  ),
  Link: text(
    'The URLs of the next and the previous page, if any: `<URL>; rel="next", <URL>; rel="prev"` (RFC 8288).',
    '<https://custody.example/v1/manifests/019cb71b-5a80-7040-aecc-78cb9b345ab5?page=2>; rel="next"',
    4096,
  ),
}

function text(description: string, example: string, maxLength = 200) {
  return { description, schema: { type: 'string', maxLength }, example }
}

function mark(description: string) {
  return { description, schema: { type: 'string', enum: ['true'] }, example: 'true' }
}

export type HeaderName = keyof typeof responseHeaders

export function headersNamed(names: readonly HeaderName[]): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Headers of every response to a valid key. */
export const usual: readonly HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

export function headersOf(operation: Operation): HeaderName[] {
  const compressed = operation.showsSecret ? [] : (['Vary'] as const)
  if (operation.open) return ['X-Request-Id', 'ETag', ...compressed]
  return [
    ...usual,
    ...(operation.method === 'GET' ? (['ETag'] as const) : []),
    ...compressed,
    ...(operation.method === 'POST' ? replayHeaders : []),
    ...(operation.namesPartner ? (['Custody-Partner'] as const) : []),
    ...(operation.waits ? (['Preference-Applied'] as const) : []),
    ...(operation.linked || operation.paged || operation.waits ? (['Link'] as const) : []),
  ]
}

export const replayHeaders: readonly HeaderName[] = ['Idempotency-Replayed', 'Idempotency-Mismatch']

export const headerParameters = {
  IdempotencyKey: requiredHeader('Idempotency-Key', {
    description: `Makes retries safe: a second request with the same key and path returns the first result and does nothing else. Results are kept for ${replayedMs / dayMs} days. Send a new key, such as a UUID, for each new action.`,
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[\\x20-\\x7e]+$' },
    example: '5f0c7a9e-2d14-4d0f-9a57-2f6f3c1b8e21',
  }),
  CustodyRepeats: optionalHeader('Custody-Repeats', {
    description:
      '`skip`: the service creates nothing that an earlier request already created, and rejects requests if it cannot tell whether they are repeats. It compares references, SKUs, and contents, so you can safely send a file again at any time. `allow` (default): the service carries out every request as sent.',
    schema: { type: 'string', enum: [...repeatsWords] },
    example: 'skip',
  }),
  Prefer: optionalHeader('Prefer', {
    description: `RFC 7240. \`wait=N\`: if there is no event yet, wait for one for up to N seconds (at most ${waitSecondsMax}). \`last=N\`: return the last N events, or with \`last=N; before="TIME"\` the last N events before that time, unless \`starting_after\` is given. \`Preference-Applied\` names the preference that was applied.`,
    schema: { type: 'string', maxLength: 200, pattern: '^[\\x20-\\x7e]*$' },
    example: 'wait=30',
  }),
  IfNoneMatch: optionalHeader('If-None-Match', {
    description:
      'The `ETag` of your copy, or a list of them. If one is still current, the response is a 304.',
    schema: { type: 'string', maxLength: 8192 },
    example: 'W/"Zl8J2sFkR0b3nqPpXv6sT0r9u4E"',
  }),
  RequestId: optionalHeader('X-Request-Id', {
    description:
      'Your id for this request: 1 to 128 letters, digits, and `_.:-`. Any other id is replaced with a new one. The response repeats the id.',
    schema: { type: 'string', maxLength: 128, pattern: '^[A-Za-z0-9_.:-]+$' },
    example: ids.request,
  }),
}

type Described = { description: string; schema: Schema; example: string }

export function requiredHeader(name: string, described: Described) {
  return { name, in: 'header', required: true, ...described }
}

function optionalHeader(name: string, described: Described) {
  return { ...requiredHeader(name, described), required: false }
}

export function headerParametersOf(operation: Operation): Schema[] {
  const names: Array<keyof typeof headerParameters> = []
  if (operation.method === 'POST') names.push('IdempotencyKey')
  if (operation.repeats) names.push('CustodyRepeats')
  if (operation.waits) names.push('Prefer')
  if (operation.method === 'GET') names.push('IfNoneMatch')
  return [...names, 'RequestId' as const].map((name) => ({ $ref: `#/components/parameters/${name}` }))
}
