import { fulfillmentColumns } from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { address } from './orders.ts'

/** A fulfillment file: rows with every column of 4.4, each to the same address but for what is given. */
export function fulfillmentCsv(rows: readonly object[]): Buffer {
  const columns = fulfillmentColumns.known
  const lines = rows.map((row) => {
    const values: Record<string, unknown> = { ...address, ...row }
    return columns.map((name) => quote(String(values[name] ?? ''))).join(',')
  })
  return Buffer.from(`${[columns.join(','), ...lines].join('\r\n')}\r\n`)
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
