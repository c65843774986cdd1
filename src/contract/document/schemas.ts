import * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { once } from '../once.ts'
import { own } from '../own.ts'
import { fulfillmentCreate, shippingAddressCreate } from '../resources/fulfillment.ts'
import { manifestLineCreate } from '../resources/manifest.ts'
import { dimensionsCreate, productCreate, weightCreate } from '../resources/product.ts'
import { mayGrow } from '../vocabulary.ts'
import { object, type SchemaProse } from './examples/described.ts'
import * as example from './examples/examples.ts'
import { envelopeSchemas } from './prose/envelope.ts'
import { eventSchemas } from './prose/events.ts'
import { fulfillmentFields, orderSchemas } from './prose/fulfillments.ts'
import { itemSchemas } from './prose/items.ts'
import { manifestFields, manifestSchemas } from './prose/manifests.ts'
import { productFields, productSchemas } from './prose/products.ts'
import { sandboxSchemas } from './prose/sandbox.ts'

/** A row of each kind of CSV file: its columns in order, each with the schema of its JSON field. */

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
  const qid = z.optional(qids._zod.def.innerType._zod.def.element)
  const address = shapeOf(shippingAddressCreate())
  const terms = { external_ref, special_instructions, deliver_by }
  return z.strictObject({ qid, sku, quantity, ...address, ...terms })
})

function shapeOf<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodMiniObject<Shape, z.core.$ZodObjectConfig>,
): Shape {
  return schema._zod.def.shape
}

const { name, sku, upc, image_url, dimensions, weight } = example.product
const { length, width, height, unit } = dimensions
const measures = {
  length,
  width,
  height,
  dimension_unit: unit,
  weight: weight.value,
  weight_unit: weight.unit,
}

const csvSchemas: Record<string, SchemaProse> = {
  ManifestCsvRow: object(
    manifestCsvRow(),
    'A row of a manifest file: one line. A product row has `sku`. A slab row has `grader` and `cert_number`, and a quantity of 1. No row has both. An empty cell counts as omitted.',
    manifestFields,
    { external_ref: 'BS-1043-001', description: 'Charizard Holo #4', grader: 'PSA', cert_number: '65936798' },
    { description: 'Pokémon 151 Elite Trainer Box', sku: 'PKM-151-ETB', quantity: 2 },
  ),
  ProductCsvRow: object(
    productCsvRow(),
    'A row of a catalog file: one product. An empty cell counts as omitted.',
    productFields,
    { name, sku, upc, ...measures, image_url },
  ),
  FulfillmentCsvRow: object(
    fulfillmentCsvRow(),
    'A row of an order file: one fulfillment. It has `qid`, or `sku` and `quantity`, never both. An empty cell counts as omitted.',
    fulfillmentFields,
    {
      sku: 'PKM-151-ETB',
      quantity: 2,
      ...example.address,
      external_ref: 'WEB-20418',
      special_instructions: 'Signature required.',
      deliver_by: '2026-03-12',
    },
    { qid: 'Q-A30A-6MYT-36VN', ...example.secondAddress },
  ),
}

/** The document's schemas by name; the name is the specification's if it has one (part 2). */
export const schemaProse: Readonly<Record<string, SchemaProse>> = {
  ...productSchemas,
  ...manifestSchemas,
  ...itemSchemas,
  ...orderSchemas,
  ...eventSchemas,
  ...sandboxSchemas,
  ...envelopeSchemas,
  ...csvSchemas,
}

const components = z.registry<{ id: string }>()

for (const [id, { schema }] of Object.entries(schemaProse)) components.add(schema, { id })

export type Schema = Record<string, unknown>

const place = '#/components/schemas/'

/** Named schemas are referenced, never repeated. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Schema {
  const named = components.get(schema)?.id
  if (named) return { $ref: `${place}${named}` }
  const made = toJSONSchema(schema, {
    io,
    metadata: components,
    target: 'draft-2020-12',
    override: tolerant,
  }) as Schema
  const { $schema: _, $defs: __, ...rest } = made
  return withReferences(rest) as Schema
}

/** Renders request schemas as inputs, in which a field with a default may be left out. */
export function componentSchemas(): Record<string, Schema> {
  const render = (io: 'input' | 'output') =>
    toJSONSchema(components, {
      io,
      uri: (id) => `${place}${id}`,
      target: 'draft-2020-12',
      override: tolerant,
    }).schemas as Record<string, Schema>
  const [sent, answered] = [render('input'), render('output')]
  const named: Record<string, Schema> = {}
  for (const name of Object.keys(answered).sort()) {
    const schema = sent[name]?.additionalProperties === false ? sent[name] : answered[name]
    const { $schema: _, $id: __, ...rest } = schema as Schema
    named[name] = described(rest, own(schemaProse, name) as SchemaProse)
  }
  return named
}

/** Adds descriptions to a schema, and to its fields examples from the schema's own. */
function described(schema: Schema, { description, fields, examples }: SchemaProse): Schema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
    ([name, property]) => [
      name,
      { ...examplesOf(name, property, examples), ...property, description: fields[name] },
    ],
  )
  return {
    description,
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    examples: examples.slice(0, 1),
  }
}

function examplesOf(name: string, property: Schema, examples: readonly unknown[]): Schema {
  if (JSON.stringify(property).includes('"$ref"')) return {}
  const values = examples.map((example) => (example as Record<string, unknown>)[name])
  const found = values.find((value) => value !== undefined && value !== null) ?? null
  return { examples: [found] }
}

/** Responses may gain fields within v1, and some vocabularies words, so clients must accept both. Requests stay strict. */
function tolerant({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void {
  const def = zodSchema._zod.def as {
    type: string
    format?: string
    catchall?: z.core.$ZodType
    discriminator?: string
  }
  const isStrict = def.catchall?._zod.def.type === 'never'
  if (def.type === 'object' && !isStrict) delete jsonSchema.additionalProperties
  // zod drops the format of a schema that has a pattern.
  if (def.format === 'uri') jsonSchema.format = 'uri'
  if (mayGrow(zodSchema)) {
    jsonSchema['x-extensible-enum'] = jsonSchema.enum
    delete jsonSchema.enum
  }
  if (def.discriminator) addDiscriminator(zodSchema as z.core.$ZodDiscriminatedUnion, jsonSchema)
  delete jsonSchema.id
}

/** Code generators distinguish the variants by it; it can only refer to named schemas, so all variants need a name. */
function addDiscriminator({ _zod: { def } }: z.core.$ZodDiscriminatedUnion, jsonSchema: Schema): void {
  const mapping: Record<string, string> = {}
  for (const option of def.options) {
    const name = components.get(option as z.ZodMiniType)?.id
    const [value] = option._zod.propValues?.[def.discriminator] ?? []
    if (name) mapping[String(value)] = `${place}${name}`
  }
  if (Object.keys(mapping).length === def.options.length)
    jsonSchema.discriminator = { propertyName: def.discriminator, mapping }
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === '$ref' && typeof part === 'string'
        ? [name, part.replace('#/$defs/', place)]
        : [name, withReferences(part)],
    ),
  )
}
