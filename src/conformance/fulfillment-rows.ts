import type { ResultOf } from '../contract/operations.ts'
import { answered } from './expectations.ts'
import { address, csvBytes, upload } from './making.ts'
import type { World } from './world.ts'

const columns = [
  'qid',
  'sku',
  'quantity',
  'recipient_name',
  'street',
  'street_2',
  'city',
  'state',
  'zip',
  'country',
  'external_ref',
  'special_instructions',
  'deliver_by',
] as const

type OrderCells = Partial<Record<(typeof columns)[number], string | undefined>>

/** A row of a fulfillment CSV with a good address. */
export function orderRow(cells: OrderCells): string {
  const full: OrderCells = { ...address, ...cells }
  return columns.map((column) => full[column] ?? '').join(',')
}

/** Uploads rows of `orderRow` (4.4). */
export async function importOrders(
  world: World,
  rows: readonly string[],
): Promise<ResultOf<'importFulfillmentsCsv'>> {
  const file = csvBytes(columns.join(','), ...rows)
  return answered(await world.ask('importFulfillmentsCsv', upload(file)), 200)
    .body as ResultOf<'importFulfillmentsCsv'>
}
