import type { Page } from '../../client/client.ts'
import { idempotencyKeyMax, pageSizeDefault, pageSizeMax } from '../../contract/limits.ts'
import { type OperationId, operation as operationOf, operations } from '../../contract/operations.ts'
import { answered, faulty, rejected, same } from '../check.ts'
import { documentedOperation } from '../response-rule.ts'
import { shaped, shapes } from '../shapes.ts'
import { entriesOf, noUuid, seenBy, type World } from '../world.ts'

export const commonRules = entriesOf({
  '4-1 every operation requires X-API-Key; without it the answer is 401': async (world) => {
    for (const id of offered(world, (operation) => !operation.open)) {
      const seen = await world.ask(id, { params: paramsOf(id), headers: { 'x-api-key': undefined } })
      rejected(seen, 401, 'invalid_api_key')
    }
  },
  '4-2 every POST requires Idempotency-Key; without it the answer is 400': async (world) => {
    for (const id of offered(world, (operation) => operation.method === 'POST')) {
      const headers = { 'idempotency-key': undefined }
      faulty(await world.ask(id, { params: paramsOf(id), headers }), 'Idempotency-Key')
    }
  },
  [`4-3 an Idempotency-Key has at most ${idempotencyKeyMax} characters`]: seenBy('D4-8'),
  '4-4 a key used again on the same endpoint returns the original result': seenBy('D4-3', 'D4-6'),
  '4-5 GET and PATCH need no Idempotency-Key': (world) =>
    world.subscribed(async ({ id }) => {
      answered(await world.ask('listProducts'), 200)
      answered(await world.patch(id, { active: false }), 200)
    }),
  '4-6 JSON bodies are application/json, CSV uploads multipart/form-data; any other type is a 400': async (
    world,
  ) => {
    const json = { form: { files: [{ name: 'file', bytes: Buffer.from('{}') }] } }
    faulty(await world.ask('createProduct', json), 'content-type')
    faulty(await world.ask('importProductsCsv', { json: {} }), 'content-type')
  },
  '4-7 page-number lists accept page and page_size; the default is page 1 of 25': async (world) => {
    for (const id of offered(world, (operation) => operation.paged)) {
      if (operationOf(id).params) continue
      const { body } = answered(await world.ask(id), 200)
      const page = body as Page<unknown>
      shaped(page, shapes.envelope, `the page of ${id}`)
      same([page.current_page_number, page.page_size], [1, pageSizeDefault], `${id}: page and page_size`)
    }
  },
  [`4-8 page is a whole number from 1 on, page_size from 1 to ${pageSizeMax}; anything else is a 400`]:
    async (world) => {
      for (const id of offered(world, (operation) => operation.paged)) {
        if (operationOf(id).params) continue
        for (const page of ['0', '-1', '1.5', 'x']) faulty(await world.ask(id, { query: { page } }), 'page')
        for (const page_size of ['0', String(pageSizeMax + 1), '-1', '2.5'])
          faulty(await world.ask(id, { query: { page_size } }), 'page_size')
        answered(await world.ask(id, { query: { page_size: String(pageSizeMax) } }), 200)
      }
    },
  '4-9 every operation of part 4 exists at its path': async (world) => {
    const missing = (Object.keys(operations) as OperationId[]).filter((id) => {
      return !operationOf(id).extension && !documentedOperation(world.document, id)
    })
    same(missing, [], 'operations that the document lacks')
    const { product_id } = await world.newProduct()
    answered(await world.ask('getProduct', { params: { product_id } }), 200)
  },
})

type Operation = ReturnType<typeof operationOf>

export function offered(
  world: World,
  isWanted: (operation: Operation) => boolean | undefined,
): OperationId[] {
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    return isWanted(operationOf(id)) && documentedOperation(world.document, id) !== undefined
  })
}

/** Well-formed path parameters of resources that do not exist. */
export function paramsOf(id: OperationId): Record<string, string> {
  return Object.fromEntries(Object.keys(operationOf(id).params ?? {}).map((name) => [name, noUuid]))
}
