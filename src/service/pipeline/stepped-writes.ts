import type { Reply } from '../../contract/call.ts'
import { type BodyOf, type FormOf, operation as operationOf } from '../../contract/operations.ts'
import { openClockAdvance } from '../../engine/clock-advance.ts'
import { openFulfillmentsCsv } from '../../engine/fulfillments/fulfillment-csv.ts'
import { openIntakes } from '../../engine/intake/sandbox-intakes.ts'
import { openReceipt } from '../../engine/intake/sandbox-receive.ts'
import { openProductsCsv } from '../../engine/items/product-csv.ts'
import { type CatalogLookUp, catalogSkusOf } from '../../engine/items/products.ts'
import { openClose } from '../../engine/manifests/manifest-close.ts'
import { keepContents } from '../../engine/manifests/manifest-content.ts'
import { openManifestCsv } from '../../engine/manifests/manifest-csv.ts'
import { openManifest } from '../../engine/manifests/manifests.ts'
import type { SteppedWrite } from '../../engine/stepped-write.ts'
import { atScopeTime } from '../../engine/unit-of-work.ts'
import { findUnfinished } from '../../store/tables/idempotency.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import type { ParsedForm } from '../parsing/parse.ts'
import type { ScopedId, SteppedId } from './handlers.ts'
import type { FilledSlot } from './idempotency.ts'
import { carryOut, type StepOptions } from './steps.ts'

/**
 * Bytes of a body that takes up more memory than many may at once, and more of this thread than one partner may at once: some
 * thousand rows or values.
 */
export const largeBodyMin = 512 * 1024

/** What was sent, the scope's date by which it is read, and the catalog that it may name SKUs of. */
type Sent = ParsedForm & { today: string; catalog: CatalogLookUp; scope: Scope }

/** Each is read before any transaction, so that nobody waits while it is. */
const openers: Record<SteppedId, (sent: Sent, context: Context) => Promise<SteppedWrite>> = {
  importFulfillmentsCsv: ({ file, today, repeats }, { settings }) =>
    openFulfillmentsCsv(file, { today, countriesServed: settings.servedCountries }, repeats),
  importProductsCsv: ({ file, repeats }) => openProductsCsv(file, repeats),
  submitManifest: async ({ body, catalog, repeats, scope }, context) => {
    const sent = body as BodyOf<'submitManifest'>
    if (repeats === 'skip') await keepContents(context, scope, sent.reference)
    return openManifest(sent, catalog, repeats)
  },
  submitManifestCsv: async ({ file, form, catalog, repeats, scope }, context) => {
    const head = form as FormOf<'submitManifestCsv'>
    if (repeats === 'skip') await keepContents(context, scope, head.reference)
    return openManifestCsv(file, head, catalog, repeats)
  },
  createIntakes: async ({ body }) => openIntakes(body as BodyOf<'createIntakes'>),
  receiveManifest: async ({ params, body }) =>
    openReceipt(params.manifest_id ?? '', body as BodyOf<'receiveManifest'>),
  closeManifest: async ({ params }) => openClose(params.manifest_id ?? ''),
  advanceClock: async ({ body }) => openClockAdvance(body as BodyOf<'advanceClock'>),
}

export function isStepped(id: ScopedId): id is SteppedId {
  return Object.hasOwn(openers, id)
}

/**
 * Reads an upload and carries it out. Of large files, whose rows are some hundred megabytes, a partner has one in memory at a
 * time, and all partners together have four.
 */
export function answerInSteps(
  context: Context,
  id: SteppedId,
  slot: FilledSlot,
  { how, ...parsed }: ParsedForm & { how: StepOptions },
): Promise<Reply> {
  const readAndDo = async (): Promise<Reply> => {
    const today = parsed.file.length > 0 ? await dateOfReading(context, slot) : ''
    const { db, sources, settings } = context
    const { scope } = slot
    const catalog: CatalogLookUp = (skus) =>
      db.read((tx) => catalogSkusOf({ tx, scope, sources, settings }, skus), { scope: scope.id, long: true })
    const upload = await openers[id]({ ...parsed, today, catalog, scope }, context)
    return carryOut(context, slot, { upload, readOn: today, status: operationOf(id).success, how })
  }
  return parsed.file.length < largeBodyMin ? readAndDo() : context.uploads.run(slot.scope.id, readAndDo)
}

/** One that was cut off goes on as it was begun, so that its rows are judged as they were. */
async function dateOfReading({ db, sources, settings }: Context, slot: FilledSlot): Promise<string> {
  const { scope } = slot
  const read = { scope: scope.id }
  return db.read(async (tx) => {
    const begun = await findUnfinished(tx, slot)
    const { now } = await atScopeTime({ tx, scope, sources, settings })
    return begun?.read_on ?? now.slice(0, 10)
  }, read)
}
