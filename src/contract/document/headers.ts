import { repeatsWords } from '../enums.ts'
import { dayMs, idempotencyKeyMax, replayedMs, waitSecondsMax } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { ids } from './examples/examples.ts'
import type { Schema } from './schemas.ts'

/** Every response header by its name. */
export const responseHeaders = {
  'X-Request-Id': {
    description: "Identifies this request in the service's logs: the id you sent, or a new one.",
    schema: { type: 'string', maxLength: 128 },
    example: ids.request,
  },
  RateLimit: {
    description:
      'What the key may still do: `r` requests now, and its full quota again after `t` seconds. On every answer to an accepted key.',
    schema: { type: 'string', maxLength: 200 },
    example: '"key";r=49;t=1',
  },
  'RateLimit-Policy': {
    description: "The key's quota: `q` requests within `w` seconds. Sent with every `RateLimit`.",
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
      '`true` if this is the stored result of an earlier request with the same `Idempotency-Key`: nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Idempotency-Mismatch': {
    description:
      '`true` with `Idempotency-Replayed` if the earlier request had a different body: the new one was not carried out. Send it with a new key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Custody-Repeated': {
    description:
      '`true` if an earlier request created this: the answer is the earlier resource as it is now, and nothing was done again. Only under `Custody-Repeats: skip`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Custody-Partner': {
    description:
      "Whose items these are: the partner's name, percent-encoded, the environment of the key, and the days after which an overdue manifest closes by itself.",
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
      'Identifies this version of the answer. Sent as `If-None-Match`, it gets a 304 as long as nothing has changed. Not sent with `Preference-Applied`.',
    schema: { type: 'string', maxLength: 200 },
    example: 'W/"Zl8J2sFkR0b3nqPpXv6sT0r9u4E"',
  },
  Vary: {
    description: 'The answer may be compressed (zstd or gzip), depending on `Accept-Encoding`.',
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
      'The addresses of the next and the previous page, if any: `<URL>; rel="next", <URL>; rel="prev"` (RFC 8288).',
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
    ...(operation.linked || operation.paged ? (['Link'] as const) : []),
  ]
}

export const replayHeaders: readonly HeaderName[] = ['Idempotency-Replayed', 'Idempotency-Mismatch']

/** Every request header except the key. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: `Makes retries safe: the same key on the same path returns the first result and does nothing again. Kept for ${replayedMs / dayMs} days. Send a new key, such as a UUID, for each new action.`,
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[\\x20-\\x7e]+$' },
    example: '5f0c7a9e-2d14-4d0f-9a57-2f6f3c1b8e21',
  },
  CustodyRepeats: {
    name: 'Custody-Repeats',
    in: 'header',
    required: false,
    description:
      '`skip`: the service does not create again what an earlier request created, and rejects requests that it cannot tell apart from one. It compares references, SKUs, and contents, so you can send a file again at any time. `allow`, the default: everything is carried out as sent.',
    schema: { type: 'string', enum: [...repeatsWords] },
    example: 'skip',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: `RFC 7240. \`wait=N\`: an empty page waits up to N seconds for an event (${waitSecondsMax} at most). \`last=N\`, or \`last=N; before="TIME"\`: the last N events, if \`starting_after\` is not given. \`Preference-Applied\` names what was applied.`,
    schema: { type: 'string', maxLength: 200, pattern: '^[\\x20-\\x7e]*$' },
    example: 'wait=30',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of your copy, or several; 304 if it is still current.',
    schema: { type: 'string', maxLength: 8192 },
    example: 'W/"Zl8J2sFkR0b3nqPpXv6sT0r9u4E"',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your id for this request: 1 to 128 letters, digits, and `_.:-`; others are replaced. The answer repeats it.',
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
