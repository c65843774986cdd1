import type { Answer, Client } from '../../client/client.ts'
import type { CsvBatchTotals, CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { AcceptedRow } from '../../domain/csv/csv-row.ts'
import {
  type FulfillmentRow,
  fulfillmentChecker,
  fulfillmentColumns,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import { productChecker, productColumns } from '../../domain/items/product-csv.ts'
import { manifestChecker, manifestColumns } from '../../domain/manifests/manifest-csv.ts'
import type { CatalogComparison } from './earlier/catalog-rows.ts'
import type { FileKind } from './formats/file-kind.ts'
import { errorColumns } from './formats/own-marks.ts'

/** What the answer to an uploaded chunk says about its rows. */
export type ChunkResult = {
  created: ReadonlyArray<{ id?: string; product_id?: string }>
  errors: CsvRowError[]
  totals: CsvBatchTotals
}

/** A kind that is sent in chunks. */
export type ChunkedKind = FileKind & {
  send: (client: Client, upload: Upload) => Promise<Answer<ChunkResult>>
  /** Asks for one of the resources that were created, by its id. */
  find: (client: Client, id: string) => Promise<unknown>
  /** Compares the rows whose resource exists already: what is equal is not a failure. */
  compare?: (client: Client) => CatalogComparison
  /** What its rows order, if they are orders: those that are valid whatever the day. */
  ordersIn?: (header: readonly string[], rows: readonly CsvRow[]) => Array<AcceptedRow<FulfillmentRow>>
  /** What the totals call rows that need not be sent. */
  same: 'unchanged' | 'already_ordered'
  /** What an import of a changed file does, after "Without --resume". */
  withoutResume: string
  /** Sending it again costs money, so it is not suggested. */
  isOrder: boolean
}

/** `signal`: gives up waiting for the answer; whether it was done, the same key tells later. */
type Upload = { file: Uint8Array; idempotencyKey: string; signal?: AbortSignal | undefined }

/**
 * What is sent must not depend on the day: the same import would not be the same tomorrow. The service knows the day; only
 * --dry-run, which does not ask it, goes by the calendar here.
 */
export const noDay = '0000-00-00'

/** Only the service knows which countries it serves. */
const everyCountry: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

export const manifestFile: FileKind = {
  name: 'manifest',
  columns: manifestColumns,
  checker: (header) => manifestChecker(header),
  codes: ['external_ref', 'sku', 'grader', 'cert_number'],
  marks: errorColumns,
}

export const productsFile: ChunkedKind = {
  name: 'products',
  columns: productColumns,
  checker: (header) => productChecker(header),
  codes: ['sku', 'upc'],
  // As `products ls --output csv` has them.
  marks: [...errorColumns, 'product_id', 'created_at'],
  numbers: ['length', 'width', 'height', 'weight'],
  unique: 'sku',
  send: (client, { file, ...how }) => client.importProductsCsv({ form: { file }, ...how }),
  find: (client, product_id) => client.getProduct({ params: { product_id } }),
  compare: lazyComparison,
  same: 'unchanged',
  withoutResume: 'all rows are sent: those that the catalog has already are unchanged.',
  isOrder: false,
}

export const fulfillmentsFile: ChunkedKind = {
  name: 'fulfillments',
  columns: fulfillmentColumns,
  checker: (header, today) => fulfillmentChecker(header, { today, countriesServed: everyCountry }),
  codes: ['qid', 'sku', 'external_ref', 'zip'],
  marks: errorColumns,
  send: (client, { file, ...how }) => client.importFulfillmentsCsv({ form: { file }, ...how }),
  find: (client, fulfillment_id) => client.getFulfillment({ params: { fulfillment_id } }),
  ordersIn: (header, rows) =>
    fulfillmentChecker(header, { today: noDay, countriesServed: everyCountry })(rows).accepted,
  same: 'already_ordered',
  withoutResume:
    'every row is compared with what was ordered before: the same again is not sent, and a changed row with the reference of an earlier order fails.',
  isOrder: true,
}

/** Loaded with the first row that needs it. */
function lazyComparison(client: Client): CatalogComparison {
  let comparison: CatalogComparison | undefined
  return async (header, rows) => {
    comparison ??= (await import('./earlier/catalog-rows.ts')).catalogComparison(client)
    return comparison(header, rows)
  }
}
