import { describe, expect, test } from 'vitest'
import { createClient, type Request } from '../../src/client/client.ts'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'

const ids = Object.keys(operations) as OperationId[]

async function dataOf(id: OperationId, body: string): Promise<unknown> {
  const client = createClient({
    baseUrl: 'https://custody.test/v1',
    newIdempotencyKey: () => 'k-1',
    transport: async () => ({ status: 200, headers: {}, body }),
  })
  const call = client[id] as (request: Request<OperationId>) => Promise<{ data: unknown }>
  const names = [...operation(id).path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const params = Object.fromEntries(names.map((name) => [name, 'x']))
  return (await call({ params } as Request<OperationId>)).data
}

describe.each(ids)('a success of %s', (id) => {
  const isList = operation(id).paged === true || id === 'listEvents'
  const wrong = ['[]', '[null]', '{"status":"ok"}', '{', '<html>', '{}']
  const inLists = ['null', '{}', '[]', '1', '{"status":"ok"}'].map((entry) => listOf(entry))
  const bodies = operation(id).response ? [...wrong, ...(isList ? inLists : [])] : ['<html>', '{']
  test.each(bodies)('is rejected if it is %s', async (body) => {
    await expect(dataOf(id, body)).rejects.toMatchObject({ name: 'NetworkError', fault: 'foreign' })
  })
})

function listOf(entry: string): string {
  const page = {
    page_size: 2,
    count: 1,
    total: 1,
    current_page_number: 1,
    next_page_number: null,
    next: null,
    previous: null,
    previous_page_number: null,
    has_more: false,
    next_starting_after: null,
  }
  return `${JSON.stringify(page).slice(0, -1)},"results":[${entry}]}`
}
