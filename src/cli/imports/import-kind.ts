import type { Answer, Client } from '../../client/client.ts'
import type { CsvBatchTotals, CsvRepeatedRow, CsvRowError } from '../../contract/resources/error.ts'
import { quoted } from '../../domain/csv/csv-header.ts'
import { rowError } from '../../domain/csv/csv-row.ts'
import { countryName } from '../../domain/fulfillments/country-names.ts'
import {
  type FulfillmentRow,
  fulfillmentChecker,
  fulfillmentColumns,
  orderOfRow,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import { hasNoStates } from '../../domain/fulfillments/iso-countries.ts'
import { identityOf } from '../../domain/fulfillments/order-identity.ts'
import { type ProductRow, productChecker, productColumns } from '../../domain/items/product-csv.ts'
import { type ManifestRow, manifestChecker, manifestColumns } from '../../domain/manifests/manifest-csv.ts'
import { errorColumns, type FileKind } from '../files/file-kind.ts'
import type { SendHow } from './repeats.ts'

export type ChunkResult = {
  created: ReadonlyArray<{ id?: string; created_at: string; external_ref?: string | null }>
  errors: CsvRowError[]
  repeated?: CsvRepeatedRow[] | undefined
  totals: CsvBatchTotals
}

export type ChunkedKind<Row = unknown> = FileKind<Row> & {
  send: (client: Client, file: Uint8Array, how: SendHow) => Promise<Answer<ChunkResult>>
  /** Rows of a file with the same identity all fail; the message names `field` as the file does. */
  identity(row: Row): Identity
  /** For --combine: rows of one identity and the same text become one. */
  summed?(row: Row): { text: string; quantity: number } | undefined
  same: 'unchanged' | 'already_ordered'
}

export type Identity = { text: string; field: string; fault: string; remedy: 'keep' | 'refer' | 'sum' }

/** The request must not depend on the date, or the same import would be a new one tomorrow. */
const noDay = '0000-00-00'

/** Only the service knows which countries it serves. */
export const everyCountry: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

export const manifestFile: FileKind<ManifestRow> = {
  name: 'manifest',
  verb: 'submit',
  columns: manifestColumns,
  fromCatalog: 'description',
  checker: (header) => manifestChecker(header),
  codes: ['external_ref', 'sku', 'grader', 'cert_number'],
  marks: errorColumns,
}

export const productsFile: ChunkedKind<ProductRow> = {
  name: 'products',
  verb: 'import',
  columns: productColumns,
  checker: (header) => productChecker(header),
  codes: ['sku', 'upc'],
  marks: [...errorColumns, 'product_id', 'created_at'],
  numbers: ['length', 'width', 'height', 'weight'],
  send: (client, file, how) => client.importProductsCsv({ form: { file }, ...how }),
  identity: ({ sku }) => ({ text: sku, field: 'sku', fault: `${quoted(sku)} is`, remedy: 'keep' }),
  same: 'unchanged',
}

export const fulfillmentsFile: ChunkedKind<FulfillmentRow> = {
  name: 'fulfillments',
  verb: 'order',
  columns: fulfillmentColumns,
  checker: fulfillmentRows,
  codes: ['qid', 'sku', 'external_ref', 'zip'],
  dates: ['deliver_by'],
  marks: errorColumns,
  send: (client, file, how) => client.importFulfillmentsCsv({ form: { file }, ...how }),
  identity: orderIdentity,
  summed: ({ items, ...rest }) =>
    'qid' in items || rest.external_ref === null
      ? undefined
      : { text: JSON.stringify([items.sku, rest]), quantity: items.quantity },
  same: 'already_ordered',
}

function orderIdentity(row: FulfillmentRow): Identity {
  const { items, external_ref } = row
  const item = 'qid' in items ? items.qid : items.sku
  const fault =
    external_ref === null
      ? 'is empty, and the same order is'
      : `${quoted(external_ref)}${item && ` with ${item}`} is`
  const remedy = 'qid' in items ? 'keep' : external_ref === null ? 'refer' : 'sum'
  return { text: identityOf(orderOfRow(row)), field: 'external_ref', fault, remedy }
}

/** Adds advice for countries without states, since the service's rules ask for one. */
function fulfillmentRows(header: readonly string[]) {
  const check = fulfillmentChecker(header, { today: noDay, countriesServed: everyCountry })
  const [state, country] = [header.indexOf('state'), header.indexOf('country')]
  return (rows: Parameters<typeof check>[0]) => {
    const checked = check(rows)
    if (checked.rejected.length === 0) return checked
    const valuesOf = new Map(rows.map(({ row, values }) => [row, values]))
    for (const error of checked.rejected) {
      const values = valuesOf.get(error.row)
      const code = values?.[country]?.trim().toUpperCase() ?? ''
      if (values?.[state]?.trim() !== '' || !hasNoStates(code)) continue
      const fault = `is required; ${countryName(code)} has none: --set state=-`
      Object.assign(error, rowError(error.row, error.code, { ...error.fields, state: [fault] }))
    }
    return checked
  }
}
