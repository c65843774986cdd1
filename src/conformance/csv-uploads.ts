import { stringify } from 'csv-stringify/sync'
import type { ResultOf } from '../contract/operations.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import { answered } from './check.ts'
import { address } from './making.ts'
import type { World } from './world.ts'

type Fields = ReadonlyArray<readonly [string, string]>

export function csvBytes(...rows: string[]): Uint8Array {
  return Buffer.from(`${rows.join('\n')}\n`)
}

export function upload(bytes: Uint8Array, fields: Fields = []) {
  return { form: { fields, files: [{ name: 'file', bytes }] } }
}

export function manifestUpload(world: World, bytes: Uint8Array, fields: Fields = []) {
  return upload(bytes, [['reference', world.unique('PO')], ...fields])
}

export async function submitCsv(
  world: World,
  file: Uint8Array | string,
): Promise<ResultOf<'submitManifestCsv'>> {
  const seen = await world.ask('submitManifestCsv', manifestUpload(world, Buffer.from(file)))
  return answered(seen, 201).body as ResultOf<'submitManifestCsv'>
}

export async function importProducts(world: World, file: Uint8Array): Promise<ResultOf<'importProductsCsv'>> {
  return answered(await world.ask('importProductsCsv', upload(file)), 200)
    .body as ResultOf<'importProductsCsv'>
}

const orderColumns = [
  ...['qid', 'sku', 'quantity', 'recipient_name', 'street', 'street_2', 'city', 'state', 'zip', 'country'],
  ...['external_ref', 'special_instructions', 'deliver_by'],
]

export type OrderCells = Readonly<Record<string, string | undefined>>

/** Each row goes to `address` unless it names another. */
export function orderFile(rows: readonly OrderCells[]): Uint8Array {
  const whole = rows.map((cells) => ({ ...address, ...cells }))
  return Buffer.from(stringify(whole, { columns: orderColumns, header: true }))
}

export async function importOrders(
  world: World,
  rows: readonly OrderCells[],
): Promise<ResultOf<'importFulfillmentsCsv'>> {
  const seen = await world.ask('importFulfillmentsCsv', upload(orderFile(rows)))
  return answered(seen, 200).body as ResultOf<'importFulfillmentsCsv'>
}

/** As in `2 validation_error`. */
export function rowCodes(errors: readonly CsvRowError[]): string[] {
  return errors.map(({ row, code }) => `${row} ${code}`)
}

/** As in `2 sku quantity`. */
export function rowFields(errors: readonly CsvRowError[]): string[] {
  return errors.map(({ row, fields }) => [row, ...Object.keys(fields)].join(' '))
}
