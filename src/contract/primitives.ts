import * as z from 'zod/mini'
import { linesPageDefault, linesPageMax, pageSizeDefault, pageSizeMax, refMax, uriMax } from './limits.ts'
import { once } from './once.ts'
import { httpsUriFault, isWebUri, webUriWords } from './uri.ts'

/** Any version; the service makes UUIDv7 (decisions 2). */
export const uuid = once(() => z.guid())

/** Responses have UTC, milliseconds and `Z`; requests may have any offset (decisions 2). */
export const dateTime = once(() => z.iso.datetime({ offset: true }))

export const date = once(() => z.iso.date())

export const qid = once(() => z.string().check(z.minLength(1), z.maxLength(64)))

export const webUri = once(() => uri(isWebUri, /^[Hh][Tt][Tt][Pp][Ss]?:\/\//, `must be ${webUriWords}`))

/** 2.11 */
export const webhookUri = once(() =>
  uri(
    (text) => httpsUriFault(text) === null,
    /^https:\/\//i,
    ({ input }) => httpsUriFault(String(input)) ?? '',
  ),
)

/** The pattern is for the document; the rule rejects the same with the same message. */
function uri(
  isOne: (text: string) => boolean,
  pattern: RegExp,
  error: string | ((issue: { input?: unknown }) => string),
) {
  return z.stringFormat('uri', isOne, { error }).check(z.maxLength(uriMax), z.regex(pattern, { error }))
}

/** `max` counts code points, as zod does. */
export function text(max: number, form = /\S/, fault = 'must not be blank') {
  return z.string().check(z.minLength(1, { abort: true }), z.maxLength(max), z.regex(form, fault))
}

export const externalRef = once(() => text(refMax))

/** CSV cells are trimmed, so a SKU with spaces at its ends could never be named in a file. */
export const sku = once(() => text(refMax, /^\S(?:[\s\S]*\S)?$/, 'must not begin or end with a space'))

export const count = once(() => z.int().check(z.gte(0)))
export const positive = once(() => z.number().check(z.gt(0)))

const page = once(() => z._default(z.int().check(z.gte(1)), 1))
export const pageSize = once(() => z._default(z.int().check(z.gte(1), z.lte(pageSizeMax)), pageSizeDefault))
export const paging = once(() => ({ page: page(), page_size: pageSize() }))

export const linePaging = once(() => ({
  page: page(),
  page_size: z._default(z.int().check(z.gte(1), z.lte(linesPageMax)), linesPageDefault),
}))

type Shape = Record<string, z.ZodMiniType>

/** Requests: an unknown field is rejected (decisions 3). */
export function sent<S extends Shape>(shape: () => S) {
  return once(() => z.strictObject(shape()))
}

/** Responses: fields may be added within v1, and clients accept them (part 9). */
export function answered<S extends Shape>(shape: () => S) {
  return once(() => z.object(shape()))
}
