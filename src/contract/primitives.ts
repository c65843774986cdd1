import * as z from 'zod/mini'
import { linesPageDefault, linesPageMax, pageSizeDefault, pageSizeMax, refMax, uriMax } from './limits.ts'
import { once } from './once.ts'
import { httpsUriFault, isWebUri, webUriWords } from './uri.ts'

/** UUID string, of any version; ours are UUIDv7 (decisions 2). */
export const uuid = once(() => z.guid())

/** UTC, ISO 8601, millisecond precision, `Z` on the way out; any offset on the way in (decisions 2). */
export const dateTime = once(() => z.iso.datetime({ offset: true }))

/** ISO 8601 calendar date. */
export const date = once(() => z.iso.date())

/** Canonical identifier of one physical item; opaque to clients (decisions 2). */
export const qid = once(() => z.string().check(z.minLength(1), z.maxLength(64)))

/** An address on the web, kept as it was sent. */
export const webUri = once(() => uri(isWebUri, /^https?:\/\//i, `must be ${webUriWords}`))

/** Where webhooks go (2.11). Whether the address may be called is not its form's to say. */
export const webhookUri = once(() =>
  uri(
    (text) => httpsUriFault(text) === null,
    /^https:\/\//i,
    ({ input }) => httpsUriFault(String(input)) ?? '',
  ),
)

/** The pattern is there for the document; what it refuses is refused by the rule too, in the same words. */
function uri(
  isOne: (text: string) => boolean,
  pattern: RegExp,
  error: string | ((issue: { input?: unknown }) => string),
) {
  return z.stringFormat('uri', isOne, { error }).check(z.maxLength(uriMax), z.regex(pattern, { error }))
}

/** A string that says something: at least one character that is not a space. `max` counts code points, as zod does. */
export function text(max: number, form = /\S/, fault = 'must not be blank') {
  return z.string().check(z.minLength(1, { abort: true }), z.maxLength(max), z.regex(form, fault))
}

/** A partner's own reference. */
export const externalRef = once(() => text(refMax))

/** A CSV cell is trimmed, so that a SKU with spaces at its ends could never be named in a file: nobody may make one. */
export const sku = once(() => text(refMax, /^\S(?:[\s\S]*\S)?$/, 'must not begin or end with a space'))

export const count = once(() => z.int().check(z.gte(0)))
export const positive = once(() => z.number().check(z.gt(0)))

/** `page` and `page_size` of every page-number list (part 4, common rules). */
const page = once(() => z._default(z.int().check(z.gte(1)), 1))
export const pageSize = once(() => z._default(z.int().check(z.gte(1), z.lte(pageSizeMax)), pageSizeDefault))
export const paging = once(() => ({ page: page(), page_size: pageSize() }))

/** The same where the lists in one resource are paged (decisions 12): a `Link` header names the next page. */
export const linePaging = once(() => ({
  page: page(),
  page_size: z._default(z.int().check(z.gte(1), z.lte(linesPageMax)), linesPageDefault),
}))

type Shape = Record<string, z.ZodMiniType>

/** What a client sends, made on first use: a field that is not known here is refused (decisions 3). */
export function sent<S extends Shape>(shape: () => S) {
  return once(() => z.strictObject(shape()))
}

/** What a service answers: fields may be added within v1, and a client takes them (part 9). */
export function answered<S extends Shape>(shape: () => S) {
  return once(() => z.object(shape()))
}
