import * as z from 'zod/mini'
import { nameMax, refMax } from '../limits.ts'
import { once } from '../once.ts'
import { answered, dateTime, positive, sent, sku, text, uuid, webUri } from '../primitives.ts'
import { dimensionUnit, weightUnit } from '../vocabulary.ts'
import { csvResult } from './error.ts'

export const dimensionsCreate = sent(() => ({
  height: positive(),
  length: positive(),
  width: positive(),
  unit: dimensionUnit(),
}))

export const weightCreate = sent(() => ({ value: positive(), unit: weightUnit() }))

/** 2.4 */
export const productCreate = sent(() => ({
  name: text(nameMax),
  sku: sku(),
  upc: z.optional(z.nullable(text(refMax))),
  image_url: z.optional(z.nullable(webUri())),
  dimensions: dimensionsCreate(),
  weight: weightCreate(),
}))
export type ProductCreate = z.infer<ReturnType<typeof productCreate>>

export const dimensions = answered(() => ({
  height: z.number(),
  length: z.number(),
  width: z.number(),
  unit: dimensionUnit(),
}))

export const weight = answered(() => ({ value: z.number(), unit: weightUnit() }))

export const product = answered(() => ({
  product_id: uuid(),
  name: z.string(),
  sku: z.string(),
  upc: z.nullable(z.string()),
  image_url: z.nullable(webUri()),
  dimensions: dimensions(),
  weight: weight(),
  created_at: dateTime(),
  updated_at: dateTime(),
}))
export type Product = z.infer<ReturnType<typeof product>>

export const productCsvResult = once(() => csvResult(product()))
