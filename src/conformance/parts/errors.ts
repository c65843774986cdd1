import { errorCodes } from '../../contract/enums.ts'
import type { ErrorBody } from '../../contract/resources/error.ts'
import { holds, rejected, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { csvBytes, entriesOf, noQid, noUuid, rowCodes, seenBy } from '../world.ts'

export const errorRules = entriesOf({
  '7-1 400 is validation_error and names every faulty field in extra.fields': seenBy('D3-6'),
  '7-2 401 is invalid_api_key for a missing or invalid key': seenBy('D1-2'),
  '7-3 404 is not_found: no such resource for this partner and environment': async (world) => {
    rejected(await world.ask('getTransfer', { params: { transfer_id: noUuid } }), 404, 'not_found')
    rejected(await world.ask(undefined), 404, 'not_found')
  },
  '7-4 409 is state_conflict, for a taken SKU, a closed manifest, or a fulfillment after pick': seenBy(
    '4.2-2',
    '3.1-5',
    '3.4-2',
  ),
  '7-5 row failures of a CSV are in errors and do not fail the batch: 200, or 201 for manifests': async (
    world,
  ) => {
    const columns = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
    const bad = csvBytes(columns, `Box,${world.unique('SKU')},1,1,1,yard,1,oz`)
    same((await world.importProducts(bad)).totals, { created: 0, failed: 1, submitted: 1 }, 'totals')
    const rows = csvBytes('description,quantity', 'Good,1', 'Bad,x')
    const { errors } = await world.submitCsv(rows)
    same(rowCodes(errors), ['2 validation_error'], 'the error')
  },
  '7-6 in a fulfillment CSV an unknown QID is not_found, an unserved country unsupported_destination': async (
    world,
  ) => {
    const { qid } = await world.availableSlab()
    const { errors, totals } = await world.importOrders([
      { qid: noQid },
      { qid: 'no QID at all' },
      { qid, country: 'KP', state: 'X' },
    ])
    const [unknown, malformed, unserved] = errors
    same([unknown?.code, malformed?.code], ['not_found', 'not_found'], 'codes of the QIDs')
    same({ ...malformed, row: 1 }, unknown, 'the two errors')
    same([unserved?.code, unserved?.row], ['unsupported_destination', 3], 'the error of the country')
    same(totals.created, 0, 'created')
  },
  '7-7 a rejected webhook url is a validation error of the PATCH': seenBy('4.7-8'),
  '7-8 the code is always one of the seven of part 7': async (world) => {
    const rejections = [
      await world.ask('createProduct', { json: {} }),
      await world.ask('getProduct', { params: { product_id: 'x' } }),
      await world.ask('getProduct', { params: { product_id: noUuid } }),
      await world.ask('listProducts', { headers: { 'x-api-key': 'x' } }),
      await world.ask('createProduct', { text: '{' }),
      await world.ask('listProducts', { query: { none: '1' } }),
      await world.ask(undefined),
    ]
    for (const { body, name } of rejections) {
      shaped(body, shapes.error, 'the error')
      const { code } = body as ErrorBody
      holds(
        errorCodes.some((known) => known === code),
        `${name} rejects with a known code`,
        code,
      )
    }
  },
})
