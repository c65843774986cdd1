import { readFulfillmentsCsv } from '../../engine/fulfillments/fulfillment-csv.ts'
import { readProductsCsv } from '../../engine/items/product-csv.ts'
import { readManifestCsv } from '../../engine/manifests/manifest-csv.ts'
import { atScopeTime } from '../../engine/unit-of-work.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import { longFileMin } from './body-weight.ts'
import type { UploadedRows, WriteId } from './handlers.ts'

/** Each upload's file before the transaction, so that nobody waits while it is read. */
const readers: {
  [Id in keyof UploadedRows]: (context: Context, scope: Scope, file: Uint8Array) => Promise<UploadedRows[Id]>
} = {
  async importFulfillmentsCsv({ db, sources, settings }, scope, file) {
    const { now } = await db.read((tx) => atScopeTime({ tx, scope, sources, settings }), { single: true })
    return readFulfillmentsCsv(file, { today: now.slice(0, 10), countriesServed: settings.servedCountries })
  },
  importProductsCsv: (_, __, file) => readProductsCsv(file),
  submitManifestCsv: (_, __, file) => readManifestCsv(file),
}

/**
 * Does the task with the rows of an upload; with none for any other operation. Of large files, whose rows are some hundred
 * megabytes, a partner has one in memory at a time, and all partners together have four.
 */
export function withRows<T>(
  context: Context,
  id: WriteId,
  scope: Scope,
  file: Uint8Array,
  task: (rows: unknown) => Promise<T>,
): Promise<T> {
  if (!isUpload(id)) return task(undefined)
  const readAndDo = async (): Promise<T> => task(await readers[id](context, scope, file))
  return file.length < longFileMin ? readAndDo() : context.uploads.run(scope.id, readAndDo)
}

function isUpload(id: WriteId): id is keyof UploadedRows {
  return id in readers
}
