import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openApiDocument, openApiText } from '../../src/contract/document/openapi.ts'
import { itemStatuses } from '../../src/contract/enums.ts'
import { operations } from '../../src/contract/operations.ts'
import { expectGolden } from '../support/golden.ts'
import { judgedRight } from '../support/judged.ts'

const root = join(import.meta.dirname, '..', '..')
const redocly = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')

/** Does not judge the checked-in document again while it, the rules, and the packages are the same. */
async function unlessJudged(judge: string, rules: string[], task: () => Promise<unknown>): Promise<void> {
  const judged = judgedRight(judge)
  const texts = [...rules, join(root, 'test', 'golden', 'openapi.json')].map((file) =>
    readFileSync(file, 'utf8'),
  )
  const all = hash('sha256', JSON.stringify([packageJson.devDependencies, ...texts]))
  if (judged.has(all)) return
  await task()
  judged.add(all)
}

describe('the OpenAPI document', () => {
  test('matches the checked-in one', () => {
    expectGolden('openapi.json', openApiText())
  })

  test('is valid OpenAPI 3.1 by an independent validator', () =>
    unlessJudged('redocly', [], async () => {
      const { stderr } = await execa(
        process.execPath,
        [redocly, 'lint', '--extends=recommended-strict', join('test', 'golden', 'openapi.json')],
        {
          cwd: root,
          env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        },
      )
      expect(stderr).toContain('Your API description is valid')
    }))

  test("passes Spectral's rules of OpenAPI and OWASP, except for listed exceptions with reasons", async () => {
    const rules = ['spectral.mjs', 'owasp-exceptions.mjs'].map((name) => join(import.meta.dirname, name))
    await unlessJudged('spectral', rules, () => execa(process.execPath, rules.slice(0, 1)))
  })

  test('has every operation of the table, with extensions marked', () => {
    const paths = openApiDocument().paths as Record<
      string,
      Record<string, { operationId: string; 'x-extension'?: true }>
    >
    const documented = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(documented.map((described) => described.operationId).sort()).toEqual(
      Object.keys(operations).sort(),
    )
    for (const described of documented) {
      const listed = operations[described.operationId as keyof typeof operations] as { extension?: true }
      expect(described['x-extension'] ?? false).toBe(listed.extension ?? false)
    }
  })
})

type Schema = { required?: string[]; properties?: Record<string, Schema>; default?: unknown } & Record<
  string,
  unknown
>

describe('the document on requests and answers (decisions 12)', () => {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, { requestBody?: object; responses: Record<string, object> }>>
    components: { schemas: Record<string, Schema> }
  }
  const { schemas } = document.components
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))

  function referredTo($ref: string): unknown {
    const names = $ref.split('/').slice(1)
    return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
  }

  /** Every schema in a part of the document, including those it refers to. */
  function* schemasIn(part: unknown): Generator<Schema> {
    if (typeof part !== 'object' || part === null) return
    const { $ref } = part as { $ref?: string }
    if ($ref !== undefined) yield* schemasIn(referredTo($ref))
    yield part as Schema
    for (const inner of Object.values(part)) yield* schemasIn(inner)
  }

  test('optional fields of requests are never required', () => {
    const sent = described.flatMap(({ requestBody }) => [...schemasIn(requestBody)])
    const required = sent.flatMap(({ required: names, properties = {} }) =>
      (Array.isArray(names) ? names : []).filter((name) => properties[name] && 'default' in properties[name]),
    )
    expect(required).toEqual([])
    expect(schemas.ManifestLineCreate?.required).toEqual(['description'])
    expect(schemas.ManifestLineCreate?.properties?.quantity).toMatchObject({ default: 1, minimum: 1 })
  })

  test('internal_error is in no 4xx and in every 5xx', () => {
    for (const { responses } of described) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const codes = [...schemasIn(response)].flatMap(({ const: only, enum: words = [] }) =>
          [only, words].flat(),
        )
        expect(codes.includes('internal_error')).toBe(Number(status) >= 500)
      }
    }
  })

  test('addresses, variants of an item, and open vocabularies are as in part 2', () => {
    for (const name of ['WebhookSubscription', 'WebhookSubscriptionWithSecret'])
      expect(schemas[name]?.properties?.url).toMatchObject({ format: 'uri', pattern: '^https:\\/\\/' })
    expect(schemas.ProductCreate?.properties?.image_url).toMatchObject({
      anyOf: [{ format: 'uri' }, { type: 'null' }],
    })
    const images = schemas.Product?.properties?.image_url?.anyOf as Array<{ pattern?: string }> | undefined
    expect('HTTP://CDN.example').toMatch(new RegExp(`${images?.[0]?.pattern}`))
    expect(schemas.Item?.discriminator).toMatchObject({ propertyName: 'type' })
    for (const name of ['GradedSlabItem', 'ProductItem']) {
      const { model_3d, status } = schemas[name]?.properties ?? {}
      expect(model_3d).toMatchObject({ anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] })
      expect(status).toMatchObject({ $ref: '#/components/schemas/ItemStatus' })
    }
    expect(schemas.ItemStatus).toMatchObject({ type: 'string', 'x-extensible-enum': itemStatuses })
    expect(schemas.ItemStatus).not.toHaveProperty('enum')
    const byStatus = schemas.ItemCounts
    expect(Object.keys(byStatus?.properties ?? {})).toEqual(itemStatuses)
    expect(byStatus).not.toHaveProperty('required')
    expect(byStatus).not.toHaveProperty('additionalProperties')
  })
})
