import type { OperationId } from '../../contract/operations.ts'
import { answered, each, faulty, holds, present, rejected, same } from '../check.ts'
import { Unseen } from '../outcomes.ts'
import { documentedOperation } from '../response-rule.ts'
import type { Seen } from '../service.ts'
import { address, csvBytes, entriesOf, type OrderCells, orderFile, upload, type World } from '../world.ts'

type Rows = {
  created: Array<{ id: string; external_ref: string; created_at: string }>
  errors: Array<{ row: number; code: string; message: string; fields: Record<string, string[]> }>
  repeated: Array<Record<string, unknown>>
  totals: Record<string, number>
}

const skip = { 'custody-repeats': 'skip' }

export const repeatDecisions = entriesOf({
  'D13-1 a row with the reference, item, and content of an earlier order is in repeated, and not ordered':
    async (world) => {
      const [first, second] = [await rowOf(world), await rowOf(world)]
      const before = await send(world, [first])
      const { id, created_at } = present(before.created[0], 'the order')
      same([before.repeated, before.totals], [[], totals(1, 0, 0)], 'repeated and totals of the first file')
      const again = await send(world, [second, first])
      const repeated = { row: 2, id, status: 'pending', created_at, by: 'reference' }
      same([again.repeated, again.totals], [[repeated], totals(1, 0, 1)], 'repeated and totals')
    },
  'D13-2 without a reference all fields of a row are its identity, and by is content': async (world) => {
    const row = await rowOf(world, { external_ref: '', special_instructions: world.unique('NOTE') })
    const { created } = await send(world, [row])
    const again = await send(world, [row])
    same(each(again.repeated as Array<{ id: string; by: string }>, 'by'), ['content'], 'by')
    same(again.repeated[0]?.id, created[0]?.id, 'the order')
    const other = await send(world, [{ ...row, special_instructions: world.unique('OTHER') }])
    same(other.repeated, [], 'repeated of a row with other content')
  },
  'D13-3 the same reference and item with other content is a state_conflict naming the order, date, and field':
    async (world) => {
      const row = await rowOf(world)
      const { created } = await send(world, [row])
      const { id, created_at } = present(created[0], 'the order')
      const { errors } = await send(world, [{ ...row, zip: '78702' }])
      const [error] = errors
      same([error?.code, Object.keys(error?.fields ?? {})], ['state_conflict', ['zip']], 'code and fields')
      holds(
        [id, created_at.slice(0, 10), address.zip].every((text) => error?.message.includes(text)),
        'the error names the order, its date and what it was',
        error,
      )
    },
  'D13-4 the identity of a cancelled or returned order is a state_conflict that names it': async (world) => {
    const row = await rowOf(world)
    const { created } = await send(world, [row])
    const order = present(created[0], 'the order')
    await world.cancel(order)
    const { errors } = await send(world, [row])
    const [error] = errors
    same([error?.code, errors.length], ['state_conflict', 1], 'code and errors')
    const message = error?.message ?? ''
    holds(message.includes(order.id) && message.includes('cancelled'), 'the order', error)
  },
  'D13-5 rows of one file that share an identity all fail with validation_error and name each other': async (
    world,
  ) => {
    const row = await rowOf(world)
    const { errors, created } = await send(world, [row, await rowOf(world), row])
    same(
      errors.map(({ row: number, code }) => [number, code]),
      [
        [1, 'validation_error'],
        [3, 'validation_error'],
      ],
      'errors',
    )
    holds(/row 3/.test(errors[0]?.message ?? ''), 'row 1 names row 3', errors[0])
    holds(/row 1/.test(errors[1]?.message ?? ''), 'row 3 names row 1', errors[1])
    same(created.length, 1, 'the other row')
  },
  'D13-6 without the header, and with allow, equal orders are created as the interface says': async (
    world,
  ) => {
    const { sku } = await world.newProduct()
    await world.units({ sku }, 'available', 'available', 'available')
    const row = { sku, quantity: '1', external_ref: world.unique('REF') }
    for (const headers of [{}, { 'custody-repeats': 'allow' }]) {
      const { created } = await send(world, [row], headers)
      same(created.length, 1, 'created')
    }
  },
  'D13-7 a product equal to the catalog’s is repeated; another is a state_conflict that names the fields':
    async (world) => {
      const sku = world.unique('SKU')
      const csv = (name: string): Uint8Array =>
        csvBytes(
          'name,sku,length,width,height,dimension_unit,weight,weight_unit',
          `${name},${sku},1,2,3,in,4,oz`,
        )
      const ask = async (name: string): Promise<Rows> =>
        rowsOf(await asking(world, 'importProductsCsv', { ...upload(csv(name)), headers: skip }))
      await ask('Box')
      const again = await ask('Box')
      same([again.repeated[0]?.by, again.totals], ['sku', totals(0, 0, 1)], 'by and totals')
      const { errors } = await ask('Case')
      same([errors[0]?.code, Object.keys(errors[0]?.fields ?? {})], ['state_conflict', ['name']], 'the error')
    },
  'D13-8 a repeated single order is a 200 with the earlier one and Custody-Repeated: true': async (world) => {
    const { qid } = await world.availableSlab()
    const json = { qids: [qid], shipping_address: address, external_ref: world.unique('REF') }
    const ask = () => asking(world, 'createFulfillment', { json, headers: skip })
    const first = answered(await ask(), 201)
    same(first.headers['custody-repeated'], undefined, 'Custody-Repeated of the first answer')
    const { id } = first.body as { id: string }
    await world.advanceOrder({ id }, { to_status: 'processing' })
    const again = answered(await ask(), 200)
    same(again.headers['custody-repeated'], 'true', 'Custody-Repeated')
    const { id: same_id, status } = again.body as { id: string; status: string }
    same([same_id, status], [id, 'processing'], 'the order as it is now')
  },
  'D13-9 the reference and lines of an earlier manifest, even closed, return that manifest with 200': async (
    world,
  ) => {
    const json = world.manifestBody()
    const ask = (body: object) => asking(world, 'submitManifest', { json: body, headers: skip })
    const { id } = answered(await ask(json), 201).body as { id: string }
    answered(await world.ask('closeManifest', { params: { manifest_id: id } }), 200)
    const again = answered(await ask(json), 200)
    const { id: same_id, status } = again.body as { id: string; status: string }
    same([same_id, status, again.headers['custody-repeated']], [id, 'reconciled', 'true'], 'the manifest')
    const other = rejected(await ask({ ...json, lines: world.manifestBody().lines }), 409, 'state_conflict')
    holds(other.message.includes(id), 'the manifest is named', other)
  },
  'D13-10 a CSV manifest is recognised by its reference and lines too': async (world) => {
    const request = world.manifestUpload(csvBytes('description', world.unique('Card')))
    const ask = () => asking(world, 'submitManifestCsv', { ...request, headers: skip })
    const { manifest } = answered(await ask(), 201).body as { manifest: { id: string } }
    const again = answered(await ask(), 200)
    const body = again.body as { manifest: { id: string }; totals: Record<string, number> }
    same([body.manifest.id, body.totals], [manifest.id, totals(0, 0, 1)], 'the manifest and totals')
  },
  'D13-11 Custody-Repeats with another word, or sent twice, is a 400 that names it': async (world) => {
    for (const word of ['never', ['skip', 'skip']]) {
      const headers = { 'custody-repeats': word }
      const request = { json: world.manifestBody(), headers }
      faulty(await asking(world, 'submitManifest', request), 'Custody-Repeats')
    }
  },
  'D13-12 Custody-Repeats is ignored by an operation that does not use it': async (world) => {
    const headers = { 'custody-repeats': 'never' }
    answered(await asking(world, 'createProduct', { json: world.productBody(), headers }), 201)
  },
  'D13-13 an order of several lines is one fulfillment, all or none, recognised by its reference': async (
    world,
  ) => {
    const { sku } = await world.newProduct()
    await world.units({ sku }, 'available', 'available', 'available')
    const { qid } = await world.availableSlab()
    const json = {
      lines: [{ qid }, { sku, quantity: 1 }, { sku, quantity: 1 }],
      shipping_address: address,
      external_ref: world.unique('REF'),
    }
    const ask = (body: object) => asking(world, 'createFulfillment', { json: body, headers: skip })
    const { id, qids } = answered(await ask(json), 201).body as { id: string; qids: string[] }
    same(qids.length, 3, 'items')
    same((answered(await ask(json), 200).body as { id: string }).id, id, 'the order, sent again')
    rejected(await ask({ ...json, lines: json.lines.slice(0, 2) }), 409, 'state_conflict')
    const more = { ...json, external_ref: world.unique('REF'), lines: [{ sku, quantity: 2 }] }
    rejected(await ask(more), 409, 'state_conflict')
  },
})

function totals(created: number, failed: number, repeated: number): Record<string, number> {
  return { created, failed, repeated, submitted: created + failed + repeated }
}

async function rowOf(world: World, more: OrderCells = {}): Promise<OrderCells> {
  const { qid } = await world.availableSlab()
  return { qid, external_ref: world.unique('REF'), ...more }
}

async function send(
  world: World,
  rows: readonly OrderCells[],
  headers: Readonly<Record<string, string>> = skip,
): Promise<Rows> {
  const request = { ...upload(orderFile(rows)), headers }
  return rowsOf(await asking(world, 'importFulfillmentsCsv', request))
}

function rowsOf(seen: Seen): Rows {
  return answered(seen, 200).body as Rows
}

/** Throws `Unseen` unless the service's document offers `Custody-Repeats`. */
function asking(world: World, id: OperationId, request: Parameters<World['ask']>[1]): Promise<Seen> {
  const offered = documentedOperation(world.document, 'importFulfillmentsCsv')
  if (!/Custody-?Repeats/.test(JSON.stringify(offered ?? {})))
    throw new Unseen('the service does not offer Custody-Repeats')
  return world.ask(id, request)
}
