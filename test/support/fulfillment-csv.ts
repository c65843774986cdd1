import { stringify } from 'csv-stringify/sync'
import { fulfillmentColumns } from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { address } from './orders.ts'

/** A fulfillment file: rows with every column of 4.4, each to the same address unless stated otherwise. */
export function fulfillmentCsv(rows: readonly object[]): Buffer {
  const records = rows.map((row) => ({ ...address, ...row }))
  const columns = [...fulfillmentColumns.known]
  return Buffer.from(stringify(records, { columns, header: true, record_delimiter: 'windows' }))
}
