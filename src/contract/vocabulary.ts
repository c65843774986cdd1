import * as z from 'zod/mini'
import * as enums from './enums.ts'
import { once } from './once.ts'

/** One schema each, so that the document can give it a name. */

export const manifestSource = once(() => z.enum(enums.manifestSources))
export const manifestStatus = once(() => z.enum(enums.manifestStatuses))
export const lineStatus = once(() => z.enum(enums.lineStatuses))
export const matchKey = once(() => z.enum(enums.matchKeys))
export const dimensionUnit = once(() => z.enum(enums.dimensionUnits))
export const weightUnit = once(() => z.enum(enums.weightUnits))
export const itemType = once(() => z.enum(enums.itemTypes))
export const imageVariant = once(() => z.enum(enums.imageVariants))
export const imageFormat = once(() => z.enum(enums.imageFormats))
export const fulfillmentStatus = once(() => z.enum(enums.fulfillmentStatuses))
export const processingStage = once(() => z.enum(enums.processingStages))
export const fulfillmentType = once(() => z.enum(enums.fulfillmentTypes))
export const transferStatus = once(() => z.enum(enums.transferStatuses))
export const transferType = once(() => z.enum(enums.transferTypes))
export const webhookEventType = once(() => z.enum(enums.webhookEventTypes))
export const deliveryStatus = once(() => z.enum(enums.deliveryStatuses))
export const repeatedBy = once(() => z.enum(enums.repeatedByWords))
export const errorCode = once(() => z.enum(enums.errorCodes))

/** Requests may only use today's statuses. */
export const knownItemStatus = once(() => z.enum(enums.itemStatuses))

/** Statuses may be added within v1 (part 9), and clients accept an unknown one. */
export const itemStatus = once(() => openEnum(enums.itemStatuses))

const growing = new WeakSet<z.core.$ZodType>()

function openEnum<const T extends readonly string[]>(words: T) {
  const schema: z.ZodMiniType<T[number] | (string & {}), T[number] | (string & {})> = z.enum(words)
  growing.add(schema)
  return schema
}

export function mayGrow(schema: z.core.$ZodType): boolean {
  return growing.has(schema)
}
