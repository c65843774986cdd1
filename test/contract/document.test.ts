import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import {
  fulfillmentCsvRow,
  manifestCsvRow,
  productCsvRow,
  schemaProse,
} from '../../src/contract/document/schemas.ts'
import { webhookEventTypes } from '../../src/contract/enums.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { operations } from '../../src/contract/operations.ts'
import { pageOf } from '../../src/contract/page.ts'
import { fulfillmentColumns } from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { productColumns } from '../../src/domain/items/product-csv.ts'
import { manifestColumns } from '../../src/domain/manifests/manifest-csv.ts'

type Node = Record<string, unknown>
type Content = Record<
  string,
  { schema: Node; example?: unknown; examples?: Record<string, { value: unknown }> }
>

const document = openApiDocument() as {
  paths: Record<string, Record<string, Node>>
  webhooks: Record<string, { post: Node }>
  components: Record<'schemas' | 'responses' | 'headers' | 'parameters', Record<string, Node>>
}
const { components } = document
const methods = Object.values(document.paths).flatMap((path) => Object.values(path))
const posted = Object.values(document.webhooks).map(({ post }) => post)
const described = [...methods, ...posted] as Array<{
  operationId: string
  description: string
  parameters: Node[]
  requestBody?: Node & { content: Content }
  responses: Record<string, Node & { content?: Content }>
}>

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, unicodeRegExp: true })
formats.default(ajv)
ajv.addVocabulary(['discriminator', 'x-extensible-enum'])
ajv.addFormat('binary', true)
ajv.addFormat('int32', true)
ajv.addSchema({ $id: 'document', $defs: relocated(components.schemas) })

function relocated<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'document#/$defs/'))
}

/** Violations of its schema by an example. */
function faults(schema: Node, example: unknown): unknown[] {
  const isValid = ajv.compile(relocated(schema))
  return isValid(example) ? [] : [{ example, errors: isValid.errors }]
}

const whole = (part: Node): Node => {
  const [, , kind, name] = String(part.$ref ?? '').split('/')
  return name === undefined ? part : (components[kind as 'headers']?.[name] ?? {})
}

test('every operation, parameter, answer, header, schema, and property has a description', () => {
  const schemas = Object.entries(components.schemas)
  const parts = [
    ...described.map((each) => [each.operationId, each]),
    ...described.flatMap(({ operationId, parameters, requestBody, responses }) =>
      [...parameters, ...Object.values(responses), ...(requestBody ? [requestBody] : [])].map((part) => [
        operationId,
        whole(part),
      ]),
    ),
    ...Object.entries(components.headers),
    ...schemas,
    ...schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Node).map(([field, property]) => [`${name}.${field}`, property]),
    ),
  ] as Array<[string, Node]>
  expect(
    parts.filter(([, { description }]) => typeof description !== 'string' || description.length < 5),
  ).toEqual([])
})

describe('every example is valid', () => {
  test('a parameter and a header have examples that they accept', () => {
    const parts = [
      ...described.flatMap(({ parameters }) => parameters),
      ...Object.values(components.headers),
    ].map((each) => {
      const { schema, example } = whole(each) as {
        schema: Node & { examples?: unknown[] }
        example?: unknown
      }
      return { schema, example: example ?? schema.examples?.[0] }
    })
    expect(parts.filter((part) => part.example === undefined)).toEqual([])
    expect(parts.flatMap(({ schema, example }) => faults(schema, example))).toEqual([])
  })

  test('a body and each answer have examples that they accept', () => {
    const bodies = described.flatMap(({ requestBody, responses }) => [
      ...(requestBody ? [requestBody] : []),
      ...Object.values(responses).map(whole),
    ])
    const contents = bodies.flatMap(({ content = {} }) => Object.values(content as Content))
    const lacking = contents.filter(
      ({ example, examples }) => !example && Object.keys(examples ?? {}).length === 0,
    )
    expect(lacking).toEqual([])
    const found = contents.flatMap(({ schema, example, examples = {} }) =>
      [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)].flatMap((value) =>
        faults(schema, value),
      ),
    )
    expect(found).toEqual([])
  })

  test('a schema and each property have examples that they accept, unless they refer to another', () => {
    const properties = Object.values(components.schemas).flatMap(({ properties: each = {} }) =>
      Object.values(each as Record<string, Node>),
    )
    const schemas = [...Object.values(components.schemas), ...properties]
    const named = (schema: Node): boolean => JSON.stringify(schema).includes('"$ref"')
    const lacking = schemas.filter(
      (schema) => !schema.examples && !named(schema) && schema.format !== 'binary',
    )
    expect(lacking).toEqual([])
    expect(
      schemas.flatMap(({ examples = [], ...schema }) =>
        (examples as unknown[]).flatMap((each) => faults(schema, each)),
      ),
    ).toEqual([])
  })

  test('the schemas that check requests accept the examples too', () => {
    for (const { schema, examples } of Object.values(schemaProse))
      for (const each of examples) schema.parse(each)
    for (const operation of Object.values(operations) as Operation[]) {
      const { [operation.method.toLowerCase()]: { requestBody, responses } = {} } =
        document.paths[operation.path] ?? {}
      const { content: sent } = (requestBody ?? {}) as { content?: Content }
      for (const { value } of Object.values(sent?.['application/json']?.examples ?? {}))
        operation.body?.().parse(value)
      const { content: answered } =
        (responses as Record<number, { content?: Content }>)[operation.success] ?? {}
      const response = operation.response?.()
      if (response)
        (operation.paged ? pageOf(response) : response).parse(answered?.['application/json']?.example)
    }
  })
})

test('the document lists the columns that are read, and each example of a file has them all', () => {
  const kinds = [
    ['submitManifestCsv', manifestCsvRow(), manifestColumns],
    ['importProductsCsv', productCsvRow(), productColumns],
    ['importFulfillmentsCsv', fulfillmentCsvRow(), fulfillmentColumns],
  ] as const
  for (const [id, row, { known, required }] of kinds) {
    const shape = row._zod.def.shape as Record<string, z.ZodMiniType>
    expect(Object.keys(shape)).toEqual(known)
    expect(
      Object.keys(shape)
        .filter((name) => !shape[name]?.safeParse(undefined).success)
        .sort(),
    ).toEqual([...required].sort())
    const { requestBody } = described.find(({ operationId }) => operationId === id) ?? {}
    for (const { value } of Object.values(requestBody?.content['multipart/form-data']?.examples ?? {}))
      expect((value as { file: string }).file.split('\n')[0]).toBe(known.join(','))
  }
})

test('all events are posted, each with its own schema', () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...webhookEventTypes].sort())
  expect(new Set(posted.map(({ requestBody }) => JSON.stringify(relocated(requestBody)))).size).toBe(
    posted.length,
  )
})

test('each kind of answer to a webhook says what follows', () => {
  for (const { responses } of posted)
    expect(Object.keys(responses as Node)).toEqual(['410', '2XX', '3XX', '4XX', '5XX'])
})

test('every creation links to what reads it', () => {
  const links = described
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ links: each = {} }) =>
      Object.values(each as Record<string, { operationId: string; parameters: Node }>),
    )
  const making = methods.filter(({ responses }) => '201' in (responses as Node))
  for (const { responses } of making) expect((responses as Record<string, Node>)[201]).toHaveProperty('links')
  for (const { operationId, parameters } of links) {
    const target = described.find((each) => each.operationId === operationId)
    const names = target?.parameters.map(({ name }) => name)
    for (const name of Object.keys(parameters)) expect(names).toContain(name)
  }
})

test('only an answer with the address of the next page is called a page', () => {
  const called = described.filter(({ responses }) => /\bpage\b/.test(String(responses[200]?.description)))
  expect(called.length).toBeGreaterThan(5)
  const without = called.filter(({ responses }) => !('Link' in ((responses[200]?.headers ?? {}) as Node)))
  expect(without.map(({ operationId }) => operationId)).toEqual([])
})
