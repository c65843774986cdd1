import * as z from 'zod/mini'
import { arrivalsMax, clockSecondsMax, flagMax, flagsMax, nameMax, refMax } from '../limits.ts'
import { once } from '../once.ts'
import { answered, dateTime, sent, sku, text, uuid } from '../primitives.ts'
import { fulfillmentStatus, itemType, knownItemStatus, processingStage } from '../vocabulary.ts'
import { intakeEvent } from './item.ts'

export const itemAdvance = sent(() => ({ to_status: knownItemStatus() }))

const flags = once(() => z.array(text(flagMax)).check(z.maxLength(flagsMax)))

/** A slab gives grader, grade and cert_number; a product gives its SKU (decisions 11). */
export const arrival = sent(() => ({
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
}))
export type Arrival = z.infer<ReturnType<typeof arrival>>

export const intakesCreate = sent(() => ({
  manifest_id: z.optional(z.nullable(uuid())),
  items: z.array(arrival()).check(z.minLength(1), z.maxLength(arrivalsMax)),
}))
export const intakesCreated = answered(() => ({ intakes: z.array(intakeEvent()) }))

export const receiveOutcomes = ['complete', 'short', 'excess', 'damaged'] as const
export const receiveOutcome = once(() => z.enum(receiveOutcomes))

export const receivedLine = sent(() => ({
  line_id: uuid(),
  quantity: z._default(z.int().check(z.gte(0), z.lte(arrivalsMax)), 1),
  condition_flags: z._default(flags(), []),
}))

export const receive = sent(() => ({
  outcome: z.optional(receiveOutcome()),
  lines: z.optional(z.array(receivedLine()).check(z.minLength(1))),
}))
export type Receive = z.infer<ReturnType<typeof receive>>

export const issueCreate = sent(() => ({ code: text(flagMax), message: text(nameMax) }))

export const fulfillmentAdvance = sent(() => ({
  to_status: z.optional(fulfillmentStatus()),
  to_stage: z.optional(processingStage()),
  issue: z.optional(issueCreate()),
}))

export const transferResolve = sent(() => ({ to_status: z.enum(['completed', 'declined']) }))

export const openApi = once(() => z.looseObject({ openapi: z.string() }))

export const clock = answered(() => ({ now: dateTime(), offset_seconds: z.number() }))
export const clockAdvance = sent(() => ({
  seconds: z.optional(z.int().check(z.gte(1), z.lte(clockSecondsMax))),
  to: z.optional(dateTime()),
}))
