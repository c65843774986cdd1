import * as z from 'zod/mini'
import { csvSchemas } from './csv-schemas.ts'
import { envelopeSchemas } from './schema-prose/envelope.ts'
import { eventSchemas } from './schema-prose/events.ts'
import { itemSchemas } from './schema-prose/items.ts'
import { manifestSchemas } from './schema-prose/manifests.ts'
import { orderSchemas } from './schema-prose/orders.ts'
import { productSchemas } from './schema-prose/products.ts'
import { sandboxSchemas } from './schema-prose/sandbox.ts'
import type { Told } from './telling/told.ts'

/** The schemas of the document by their names; the specification's own where it gives one (part 2). */
export const told: Readonly<Record<string, Told>> = {
  ...productSchemas,
  ...manifestSchemas,
  ...itemSchemas,
  ...orderSchemas,
  ...eventSchemas,
  ...sandboxSchemas,
  ...envelopeSchemas,
  ...csvSchemas,
}

/** The name of each schema. */
export const components = z.registry<{ id: string }>()

for (const [id, { schema }] of Object.entries(told)) components.add(schema, { id })
