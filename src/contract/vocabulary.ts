import * as z from 'zod/mini'
import {
  deliveryStatuses,
  dimensionUnits,
  errorCodes,
  fulfillmentStatuses,
  fulfillmentTypes,
  imageFormats,
  imageVariants,
  itemStatuses,
  itemTypes,
  lineStatuses,
  manifestSources,
  manifestStatuses,
  matchKeys,
  processingStages,
  repeatedByWords,
  transferStatuses,
  transferTypes,
  webhookEventTypes,
  weightUnits,
} from './enums.ts'

/** One schema each, so that the document can give it a name. */

export const manifestSource = once(() => z.enum(manifestSources))
export const manifestStatus = once(() => z.enum(manifestStatuses))
export const lineStatus = once(() => z.enum(lineStatuses))
export const matchKey = once(() => z.enum(matchKeys))
export const dimensionUnit = once(() => z.enum(dimensionUnits))
export const weightUnit = once(() => z.enum(weightUnits))
export const itemType = once(() => z.enum(itemTypes))
export const imageVariant = once(() => z.enum(imageVariants))
export const imageFormat = once(() => z.enum(imageFormats))
export const fulfillmentStatus = once(() => z.enum(fulfillmentStatuses))
export const processingStage = once(() => z.enum(processingStages))
export const fulfillmentType = once(() => z.enum(fulfillmentTypes))
export const transferStatus = once(() => z.enum(transferStatuses))
export const transferType = once(() => z.enum(transferTypes))
export const webhookEventType = once(() => z.enum(webhookEventTypes))
export const deliveryStatus = once(() => z.enum(deliveryStatuses))
export const repeatedBy = once(() => z.enum(repeatedByWords))
export const errorCode = once(() => z.enum(errorCodes))

/** Requests may only use today's statuses. */
export const knownItemStatus = once(() => z.enum(itemStatuses))

/** Statuses may be added within v1 (part 9), and clients accept an unknown one. */
export const itemStatus = once(() => openEnum(itemStatuses))

const growing = new WeakSet<z.core.$ZodType>()

function openEnum<const T extends readonly string[]>(words: T) {
  const schema: z.ZodMiniType<T[number] | (string & {}), T[number] | (string & {})> = z.enum(words)
  growing.add(schema)
  return schema
}

export function mayGrow(schema: z.core.$ZodType): boolean {
  return growing.has(schema)
}

/** Defers a value to its first use, so that a schema costs nothing at start. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
