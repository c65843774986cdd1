import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Document, operationsOf } from '../../src/contract/document/api-pages.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'
import { pageOf } from '../../src/contract/page.ts'
import { cliUser, forAllTests, serviceOf } from '../support/each.ts'
import { isLong } from '../support/soak.ts'

type Drop = { id: OperationId; path: readonly string[] }

const document = openApiDocument() as Document
const examples = new Map<OperationId, unknown>(
  operationsOf(document).flatMap(({ operation: { operationId, responses } }) => {
    const answer = responses['200'] as { content?: Record<string, { example?: unknown }> } | undefined
    const example = answer?.content?.['application/json']?.example
    return example === undefined ? [] : [[operationId as OperationId, example] as const]
  }),
)

/** The service lacks this value in every answer. */
let lacks: Drop | undefined
let asked: Set<OperationId>

const user = forAllTests(cliUser)
const service = forAllTests(
  serviceOf((request, response) => {
    const id = operationAt(String(request.method), String(request.url).replace(/\?.*/, ''))
    if (id !== undefined) asked.add(id)
    const body = id && examples.get(id)
    const answer = lacks !== undefined && id === lacks.id ? without(body, lacks.path) : body
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    request.resume().on('end', () => response.end(JSON.stringify(answer)))
  }),
)

const qid = 'Q-GNJ8-TF8K-B9DS'
const manifest = '019cb71b-5a80-7040-aecc-78cb9b345ab5'
const order = '019cc377-6a80-73c0-b460-b6a20465383e'
const commands = [
  ['status'],
  ['items', 'ls'],
  ['items', 'show', qid],
  ['items', 'summary'],
  ['items', 'find', '-'],
  ['items', 'history', qid],
  ['manifests', 'ls'],
  ['manifests', 'show', manifest],
  ['manifests', 'report', manifest],
  ['manifests', 'labels', manifest, '--html', 'labels.html'],
  ['products', 'ls'],
  ['products', 'show', 'PKM-151-ETB'],
  ['report', 'holdings'],
  ['report', 'ageing'],
  ['report', 'storage', '--month', '2026-03'],
  ['report', 'statement', '--out', '-'],
  ['intakes', 'ls'],
  ['inventory', 'ls'],
  ['fulfillments', 'ls'],
  ['fulfillments', 'show', order],
  ['transfers', 'ls'],
  ['transfers', 'show', order],
  ['events', 'ls'],
  ['events', 'tail'],
  ['webhooks', 'ls'],
  ['webhooks', 'show', order],
  ['webhooks', 'deliveries', order],
  ['wait', 'manifests', manifest, '--until', 'reconciled', '--max', '0s'],
  ['sandbox', 'clock'],
  ['sync'],
]
test.each(commands.map((args) => [args.join(' '), args] as const))(
  '%s neither prints nonsense nor names a bug, whatever value an answer lacks (a third of them, all in a soak)',
  async (_, args) => {
    const found: string[] = []
    const run = async (drop?: Drop): Promise<string> => {
      lacks = drop
      asked = new Set()
      const copy = args[0] === 'sync' ? [join(user.home, `${drop?.id}${drop?.path.join('.')}.db`)] : []
      const { code, out, err } = await user.run([...args, ...copy], {
        env: service.env,
        input: '65936798\n',
        terminal: 100,
      })
      return `${code} ${out}${err}`
    }
    expect(await run()).not.toMatch(/^[128] /)
    // In npm test another third for each command.
    const first = commands.indexOf(args) % 3
    const drops = [...asked].flatMap((id) => requiredIn(id))
    for (const drop of drops.filter((_, at) => isLong || at % 3 === first)) {
      const text = await run(drop)
      if (/^1 |undefined|NaN|Invalid Date|\[object/.test(text))
        found.push(`${drop.id} ${drop.path.join('.')}: ${text}`)
    }
    expect(found).toEqual([])
  },
)

test.each([
  ['listManifests', 'results[0].expected_arrival_end', ['manifests', 'ls'], 'GET /manifests'],
  [
    'getManifest',
    'line_count',
    ['manifests', 'labels', manifest, '--html', '-'],
    'GET /manifests/{manifest_id}',
  ],
  ['listEvents', 'results[0].created_at', ['report', 'storage', '--month', '2026-03'], 'GET /events'],
] as const)(
  'an unexpected error over an answer of %s without %s names both',
  async (id, place, args, path) => {
    lacks = { id, path: place.replace('[0]', '.*').split('.') }
    asked = new Set()
    const { code, err } = await user.run(args, { env: service.env })
    expect([code, err]).toEqual([
      8,
      expect.stringContaining(`The service's answer to ${path} lacks "${place}". Report it to`),
    ])
  },
)

function operationAt(method: string, url: string): OperationId | undefined {
  const ids = Object.keys(operations) as OperationId[]
  return ids
    .filter((id) => operation(id).method === method)
    .sort((one, other) => length(one) - length(other))
    .find((id) => new RegExp(`^/v1${operation(id).path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(url))
}

/** Paths without parameters first: `/items/summary` is not an item. */
function length(id: OperationId): number {
  return operation(id).path.split('{').length
}

const required = new Map<OperationId, Drop[]>()

function requiredIn(id: OperationId): Drop[] {
  const known = required.get(id)
  if (known) return known
  const { response, paged } = operation(id)
  const schema = response && (paged ? pageOf(response()) : response())
  const example = examples.get(id)
  const found = [...pathsIn(example)]
    .map((path) => path.split('/'))
    .filter((path) => schema?.safeParse(without(example, path)).success === false)
    .map((path) => ({ id, path }))
  required.set(id, found)
  return found
}

/** `*`: every entry of a list. */
function pathsIn(value: unknown, at: readonly string[] = [], found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, within] of Object.entries(value)) {
    const path = [...at, Array.isArray(value) ? '*' : key]
    if (!Array.isArray(value)) found.add(path.join('/'))
    pathsIn(within, path, found)
  }
  return found
}

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => without(entry, rest))
  if (typeof value !== 'object' || value === null) return value
  const { [key]: within, ...others } = value as Record<string, unknown>
  return rest.length === 0 || within === undefined ? others : { ...value, [key]: without(within, rest) }
}
