import * as z from 'zod/mini'
import { dimensionUnits, weightUnits } from '../enums.ts'
import { nameMax, refMax } from '../limits.ts'
import { once } from '../once.ts'
import { dateTime, positive, sku, text, uuid, webUri } from '../primitives.ts'

/** 2.4, as sent */
export const productCreate = once(() =>
  z.strictObject({
    name: text(nameMax),
    sku: sku(),
    upc: z.optional(z.nullable(text(refMax))),
    image_url: z.optional(z.nullable(webUri())),
    dimensions: z.strictObject({
      height: positive(),
      length: positive(),
      width: positive(),
      unit: z.enum(dimensionUnits),
    }),
    weight: z.strictObject({ value: positive(), unit: z.enum(weightUnits) }),
  }),
)
export type ProductCreate = z.infer<ReturnType<typeof productCreate>>

/** 2.4, as answered */
export const product = once(() =>
  z.object({
    product_id: uuid(),
    name: z.string(),
    sku: z.string(),
    upc: z.nullable(z.string()),
    image_url: z.nullable(webUri()),
    dimensions: z.object({
      height: z.number(),
      length: z.number(),
      width: z.number(),
      unit: z.enum(dimensionUnits),
    }),
    weight: z.object({ value: z.number(), unit: z.enum(weightUnits) }),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)
export type Product = z.infer<ReturnType<typeof product>>
