import * as z from 'zod/mini'
import { type ItemStatus, itemStatuses } from '../enums.ts'
import { once } from '../once.ts'
import { answered, count, dateTime, qid, uuid } from '../primitives.ts'
import { imageFormat, imageVariant, itemStatus } from '../vocabulary.ts'

export const imageAsset = answered(() => ({
  variant: imageVariant(),
  url: z.url(),
  width: z.int(),
  height: z.int(),
  format: imageFormat(),
}))
export type ImageAsset = z.infer<ReturnType<typeof imageAsset>>

const common = once(() => ({
  qid: qid(),
  name: z.string(),
  sku: z.string(),
  status: itemStatus(),
  category: z.optional(z.string()),
  set: z.nullable(z.string()),
  card_number: z.nullable(z.string()),
  external_ref: z.nullable(z.string()),
  manifest_line_id: z.nullable(uuid()),
  active_fulfillment_id: z.nullable(uuid()),
  image_assets: z.array(imageAsset()),
  intake_at: dateTime(),
  updated_at: dateTime(),
  model_3d: z.nullable(z.url()),
}))

export const slabItem = answered(() => ({
  ...common(),
  type: z.literal('graded_slab'),
  cert_number: z.string(),
  grade: z.string(),
  grader: z.string(),
}))

export const productItem = answered(() => ({
  ...common(),
  type: z.literal('product'),
  cert_number: z.null(),
  grade: z.null(),
  grader: z.null(),
}))

/** 2.5 */
export const item = once(() => z.discriminatedUnion('type', [slabItem(), productItem()]))
export type Item = z.infer<ReturnType<typeof item>>

/** 2.6 */
export const intakeEvent = answered(() => ({
  qid: qid(),
  intake_at: dateTime(),
  manifest_id: z.nullable(uuid()),
  manifest_line_id: z.nullable(uuid()),
  condition_flags: z.array(z.string()),
  item: item(),
}))
export type IntakeEvent = z.infer<ReturnType<typeof intakeEvent>>

const byStatus = once(
  () =>
    Object.fromEntries(itemStatuses.map((status) => [status, z.exactOptional(count())])) as {
      [Status in ItemStatus]: z.ZodMiniExactOptional<ReturnType<typeof count>>
    },
)

/** Open like `itemStatus`: a later service may count further statuses. */
export const itemCounts = once(() => z.catchall(z.object(byStatus()), count()))

/** 2.10 */
export const itemSummary = answered(() => ({
  total: count(),
  by_status: itemCounts(),
}))
export type ItemSummary = z.infer<ReturnType<typeof itemSummary>>

/** 2.9 */
export const inventoryLevel = answered(() => ({
  sku: z.string(),
  on_hand: count(),
  available: count(),
  allocated: count(),
}))
export type InventoryLevel = z.infer<ReturnType<typeof inventoryLevel>>
