import { repeatsWords } from '../enums.ts'
import { dayMs, idempotencyKeyMax, replayedMs, waitSecondsMax } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { ids } from './examples/examples.ts'
import type { Schema } from './schemas.ts'

export const responseHeaders = {
  'X-Request-Id': {
    description: "Identifies this request in the service's logs: the id you sent, or a new one.",
    schema: { type: 'string', maxLength: 128 },
    example: ids.request,
  },
  RateLimit: {
    description:
      "The key's remaining quota: `r` requests now, and the full quota again after `t` seconds. Sent with every response to a valid key.",
    schema: { type: 'string', maxLength: 200 },
    example: '"key";r=49;t=1',
  },
  'RateLimit-Policy': {
    description: "The key's quota: `q` requests within `w` seconds. Sent with `RateLimit`.",
    schema: { type: 'string', maxLength: 200 },
    example: '"key";q=50;w=2',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 1,
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored result of an earlier request with the same `Idempotency-Key`. The request was not carried out again.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Idempotency-Mismatch': {
    description:
      '`true`, together with `Idempotency-Replayed`, if the earlier request had a different body. The new request was not carried out; send it with a new key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Custody-Repeated': {
    description:
      '`true` if an earlier request already created the resource. The response shows its current state, and nothing was created again. Only under `Custody-Repeats: skip`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Custody-Partner': {
    description:
      'The partner that owns the items: its name (percent-encoded), the environment of the key, and the number of days after which an overdue manifest closes automatically.',
    schema: { type: 'string', maxLength: 2048 },
    example: 'Northgate%20Cards;environment=sandbox;close_grace_days=7',
  },
  'Preference-Applied': {
    description: 'The preference that was applied (RFC 7240): `wait=N`, or `last=N` as sent.',
    schema: { type: 'string', maxLength: 200 },
    example: 'wait=30',
  },
  ETag: {
    description:
      'Identifies this version of the response. Send it as `If-None-Match` to get a 304 if nothing has changed. Not sent with `Preference-Applied`.',
    schema: { type: 'string', maxLength: 200 },
    example: 'W/"Zl8J2sFkR0b3nqPpXv6sT0r9u4E"',
  },
  Vary: {
    description: 'The response may be compressed (zstd or gzip), depending on `Accept-Encoding`.',
    schema: { type: 'string', maxLength: 200 },
    example: 'Accept-Encoding',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110): with an API key in `X-API-Key`.',
    schema: { type: 'string', maxLength: 200 },
    example: 'ApiKey realm="custody", header="X-API-Key"',
  },
  Link: {
    description:
      'The URLs of the next and the previous page, if any: `<URL>; rel="next", <URL>; rel="prev"` (RFC 8288).',
    schema: { type: 'string', maxLength: 4096 },
    example: '<https://custody.example/v1/manifests/019cb71b-5a80-7040-aecc-78cb9b345ab5?page=2>; rel="next"',
  },
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
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: `Makes retries safe: a second request with the same key and path returns the first result and does nothing else. Results are kept for ${replayedMs / dayMs} days. Send a new key, such as a UUID, for each new action.`,
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[\\x20-\\x7e]+$' },
    example: '5f0c7a9e-2d14-4d0f-9a57-2f6f3c1b8e21',
  },
  CustodyRepeats: {
    name: 'Custody-Repeats',
    in: 'header',
    required: false,
    description:
      '`skip`: the service creates nothing that an earlier request already created, and rejects requests if it cannot tell whether they are repeats. It compares references, SKUs, and contents, so you can safely send a file again at any time. `allow` (default): the service carries out every request as sent.',
    schema: { type: 'string', enum: [...repeatsWords] },
    example: 'skip',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: `RFC 7240. \`wait=N\`: if there is no event yet, wait for one for up to N seconds (at most ${waitSecondsMax}). \`last=N\`: return the last N events, or with \`last=N; before="TIME"\` the last N events before that time, unless \`starting_after\` is given. \`Preference-Applied\` names the preference that was applied.`,
    schema: { type: 'string', maxLength: 200, pattern: '^[\\x20-\\x7e]*$' },
    example: 'wait=30',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of your copy, or a list of them. If one is still current, the response is a 304.',
    schema: { type: 'string', maxLength: 8192 },
    example: 'W/"Zl8J2sFkR0b3nqPpXv6sT0r9u4E"',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your id for this request: 1 to 128 letters, digits, and `_.:-`. Any other id is replaced with a new one. The response repeats the id.',
    schema: { type: 'string', maxLength: 128, pattern: '^[A-Za-z0-9_.:-]+$' },
    example: ids.request,
  },
}

export function headerParametersOf(operation: Operation): Schema[] {
  const names: Array<keyof typeof headerParameters> = []
  if (operation.method === 'POST') names.push('IdempotencyKey')
  if (operation.repeats) names.push('CustodyRepeats')
  if (operation.waits) names.push('Prefer')
  if (operation.method === 'GET') names.push('IfNoneMatch')
  return [...names, 'RequestId' as const].map((name) => ({ $ref: `#/components/parameters/${name}` }))
}
