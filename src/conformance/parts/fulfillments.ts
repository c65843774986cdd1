import { answered, each, entriesOf, faulty, present, rejected, same } from '../check.ts'
import * as make from '../making.ts'

/** 4.4 Fulfillments, 4.5 Transfers. */
export const fulfillmentOperations = entriesOf({
  '4.4-1 GET /fulfillments/{id}: 200 with the fulfillment; 404 if unknown': async (world) => {
    const made = await make.order(world, [await make.availableSlab(world)])
    const ask = (fulfillment_id: string) => world.ask('getFulfillment', { params: { fulfillment_id } })
    same(answered(await ask(made.id), 200).body, made, 'the fulfillment')
    rejected(await ask(make.noUuid), 404, 'not_found')
  },
  '4.4-2 POST /fulfillments/{id}/cancel: 200 with the fulfillment; 404 if unknown; 409 after pick': async (
    world,
  ) => {
    const made = await make.order(world, [await make.availableSlab(world)])
    const seen = answered(await make.cancel(world, made), 200)
    same((seen.body as { status: string }).status, 'cancelled', 'status')
    rejected(await make.cancel(world, { id: make.noUuid }), 404, 'not_found')
    rejected(await make.cancel(world, made), 409, 'state_conflict')
  },
  '4.4-3 POST /fulfillments/csv: 200 with created, errors, and totals; rows are processed one by one': async (
    world,
  ) => {
    const [one, two] = await make.twoSlabs(world)
    const { created, errors, totals } = await make.importOrders(world, [
      { qid: one.qid },
      { qid: one.qid, city: '' },
      { qid: two.qid },
    ])
    same(totals, { created: 2, failed: 1, submitted: 3 }, 'totals')
    same(each(created, 'qids'), [[one.qid], [two.qid]], 'created')
    same(make.rowFields(errors), ['2 city'], 'the error')
  },
  '4.4-4 its columns are qid, sku, quantity, the address, external_ref, special_instructions, deliver_by':
    async (world) => {
      const slab = await make.availableSlab(world)
      const more = {
        external_ref: world.unique('ORDER'),
        special_instructions: 'Ring',
        deliver_by: '2035-12-24',
      }
      const { created } = await make.importOrders(world, [{ qid: slab.qid, ...more }])
      const made = present(created[0], 'the fulfillment')
      const expected = {
        ...more,
        qids: [slab.qid],
        shipping_address: make.address,
        status: 'pending',
        type: 'standard',
      }
      same({ ...made, ...expected }, made, 'the fulfillment')
    },
  '4.4-5 a row has qid, or sku and quantity, never both forms': async (world) => {
    const product = await make.newProduct(world)
    const units = await make.availableUnits(world, product, 3)
    const { created, errors } = await make.importOrders(world, [
      { sku: product.sku, quantity: '2' },
      { qid: units[2]?.qid, sku: product.sku, quantity: '1' },
      {},
      { sku: product.sku },
    ])
    const qids = each(units.slice(0, 2), 'qid')
    same(created[0]?.qids, qids, 'the items of the row with sku and quantity')
    same(
      make.rowCodes(errors),
      [2, 3, 4].map((row) => `${row} validation_error`),
      'errors',
    )
  },
  "4.4-6 an unknown QID and another partner's fail with the same not_found": async (world) => {
    const theirs = (await world.stranger().createIntakes({ body: { items: [make.slabArrival(world)] } })).data
      .intakes
    const { errors } = await make.importOrders(world, [{ qid: make.noQid }, { qid: theirs[0]?.qid }])
    const [missing, foreign] = errors
    same(missing?.code, 'not_found', 'the code')
    same({ ...foreign, row: 1 }, missing, "the error of another partner's QID")
  },
  '4.4-8 a QID of the other environment fails with the same not_found':
    'test/engine/fulfillments-csv.test.ts: fails unknown, foreign, other-environment, and malformed QIDs identically (part 7, rule 2)',
  '4.4-7 an unsupported destination fails its row with unsupported_destination': async (world) => {
    const slab = await make.availableSlab(world)
    const { errors } = await make.importOrders(world, [{ qid: slab.qid, country: 'AQ', state: 'X' }])
    same([errors[0]?.code, errors[0]?.row], ['unsupported_destination', 1], 'the error')
  },
  '4.5-1 GET /transfers is filtered by status': async (world) => {
    const made = await make.sellBack(world, [await make.availableSlab(world)])
    const newest = async (query: Record<string, string>) => {
      const seen = answered(await world.ask('listTransfers', { query }), 200)
      return (seen.body as { results: unknown[] }).results[0]
    }
    same(await newest({ status: 'requested' }), made, 'the newest that is requested')
    await make.advance(world, { qid: made.qids[0] ?? '' }, 'released')
    const seen = (await newest({ status: 'completed' })) as { id: string; status: string }
    same([seen.id, seen.status], [made.id, 'completed'], 'the newest that is completed')
    faulty(await world.ask('listTransfers', { query: { status: 'sold' } }), 'status')
  },
  '4.5-2 GET /transfers/{id}: 200 with the transfer; 404 if unknown, 400 if not a UUID': async (world) => {
    const made = await make.sellBack(world, [await make.availableSlab(world)])
    const ask = (transfer_id: string) => world.ask('getTransfer', { params: { transfer_id } })
    same(answered(await ask(made.id), 200).body, made, 'the transfer')
    rejected(await ask(make.noUuid), 404, 'not_found')
    faulty(await ask('42'), 'transfer_id')
  },
})
