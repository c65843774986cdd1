import * as z from 'zod/mini'
import { clockSecondsMax, nameMax, refMax } from '../limits.ts'
import { once } from '../once.ts'
import { dateTime, sku, text, uuid } from '../primitives.ts'
import { fulfillmentStatus, itemType, knownItemStatus, processingStage } from '../vocabulary.ts'
import { intakeEvent } from './item.ts'

/** POST /sandbox/items/{qid}/advance (4.3) */
export const itemAdvance = once(() => z.strictObject({ to_status: knownItemStatus() }))

const flags = once(() => z.array(text(100)).check(z.maxLength(20)))

/** One simulated arrival (decisions 11): a slab gives grader, grade and cert_number; a product gives its SKU. */
export const arrival = once(() =>
  z.strictObject({
    type: itemType(),
    name: z.optional(text(nameMax)),
    sku: z.optional(sku()),
    grader: z.optional(text(refMax)),
    grade: z.optional(text(refMax)),
    cert_number: z.optional(text(refMax)),
    set: z.optional(z.nullable(text(nameMax))),
    card_number: z.optional(z.nullable(text(refMax))),
    category: z.optional(text(refMax)),
    condition_flags: z._default(flags(), []),
  }),
)
export type Arrival = z.infer<ReturnType<typeof arrival>>

export const intakesCreate = once(() =>
  z.strictObject({
    manifest_id: z.optional(z.nullable(uuid())),
    items: z.array(arrival()).check(z.minLength(1), z.maxLength(10_000)),
  }),
)
export const intakesCreated = once(() => z.object({ intakes: z.array(intakeEvent()) }))

export const receiveOutcomes = ['complete', 'short', 'excess', 'damaged'] as const
export const receiveOutcome = once(() => z.enum(receiveOutcomes))

export const receivedLine = once(() =>
  z.strictObject({
    line_id: uuid(),
    quantity: z._default(z.int().check(z.gte(0), z.lte(10_000)), 1),
    condition_flags: z._default(flags(), []),
  }),
)

/** POST /sandbox/manifests/{id}/receive: an `outcome`, or what came per line (decisions 11). */
export const receive = once(() =>
  z.strictObject({
    outcome: z.optional(receiveOutcome()),
    lines: z.optional(z.array(receivedLine()).check(z.minLength(1))),
  }),
)
export type Receive = z.infer<ReturnType<typeof receive>>

export const issueCreate = once(() => z.strictObject({ code: text(100), message: text(nameMax) }))

export const fulfillmentAdvance = once(() =>
  z.strictObject({
    to_status: z.optional(fulfillmentStatus()),
    to_stage: z.optional(processingStage()),
    issue: z.optional(issueCreate()),
  }),
)

export const transferResolve = once(() => z.strictObject({ to_status: z.enum(['completed', 'declined']) }))

/** GET /openapi.json */
export const openApi = once(() => z.looseObject({ openapi: z.string() }))

export const clock = once(() => z.object({ now: dateTime(), offset_seconds: z.number() }))
export const clockAdvance = once(() =>
  z.strictObject({
    seconds: z.optional(z.int().check(z.gte(1), z.lte(clockSecondsMax))),
    to: z.optional(dateTime()),
  }),
)
