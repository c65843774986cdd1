import * as z from 'zod/mini'
import { once } from '../once.ts'
import { fulfillmentCreate, shippingAddressCreate } from '../resources/fulfillment.ts'
import { manifestLineCreate } from '../resources/manifest.ts'
import { dimensionsCreate, productCreate, weightCreate } from '../resources/product.ts'

/** A row of each kind of CSV file: its columns in order, each with the form of the JSON field that it stands for. */

export const manifestCsvRow = once(() => {
  const { external_ref, description, sku, grader, cert_number, quantity } = shapeOf(manifestLineCreate())
  return z.strictObject({ external_ref, description, sku, grader, cert_number, quantity })
})

export const productCsvRow = once(() => {
  const { name, sku, upc, image_url } = shapeOf(productCreate())
  const { length, width, height, unit: dimension_unit } = shapeOf(dimensionsCreate())
  const { value: weight, unit: weight_unit } = shapeOf(weightCreate())
  const measures = { length, width, height, dimension_unit, weight, weight_unit }
  return z.strictObject({ name, sku, upc, ...measures, image_url })
})

export const fulfillmentCsvRow = once(() => {
  const { qids, sku, quantity, external_ref, special_instructions, deliver_by } = shapeOf(fulfillmentCreate())
  const address = shapeOf(shippingAddressCreate())
  const { recipient_name, street, street_2, city, state, zip, country } = address
  return z.strictObject({
    qid: z.optional(qids._zod.def.innerType._zod.def.element),
    sku,
    quantity,
    recipient_name,
    street,
    street_2,
    city,
    state,
    zip,
    country,
    external_ref,
    special_instructions,
    deliver_by,
  })
})

function shapeOf<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodMiniObject<Shape, z.core.$ZodObjectConfig>,
): Shape {
  return schema._zod.def.shape
}
