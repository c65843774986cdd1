import * as z from 'zod/mini'
import { pageSizeDefault, pageSizeMax, refMax, uriMax } from './limits.ts'
import { once } from './once.ts'

/** UUID string; ours are UUIDv7 (decisions 2). */
export const uuid = once(() => z.uuid())

/** UTC, ISO 8601, millisecond precision, `Z` on the way out; any offset on the way in (decisions 2). */
export const dateTime = once(() => z.iso.datetime({ offset: true }))

/** ISO 8601 calendar date. */
export const date = once(() => z.iso.date())

/** Canonical identifier of one physical item; opaque to clients (decisions 2). */
export const qid = once(() => z.string().check(z.minLength(1), z.maxLength(64)))

export const uri = once(() => z.url().check(z.maxLength(uriMax)))

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
export const page = once(() => z._default(z.int().check(z.gte(1)), 1))
export const pageSize = once(() => z._default(z.int().check(z.gte(1), z.lte(pageSizeMax)), pageSizeDefault))
export const paging = once(() => ({ page: page(), page_size: pageSize() }))

/** The envelope of page-number lists (2.13). */
export function pageOf<T extends z.ZodMiniType>(result: T) {
  return z.object({
    page_size: z.int(),
    count: count(),
    total: count(),
    current_page_number: z.int(),
    next_page_number: z.nullable(z.int()),
    next: z.nullable(z.url()),
    previous: z.nullable(z.url()),
    previous_page_number: z.nullable(z.int()),
    results: z.array(result),
  })
}
