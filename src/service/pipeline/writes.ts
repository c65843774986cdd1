import type { Operation } from '../../contract/operation.ts'
import { type BodyOf, type FormOf, operation as operationOf } from '../../contract/operations.ts'
import type { FieldErrors, Given } from '../../domain/rejection.ts'
import { clockFaults } from '../../domain/scope-clock.ts'
import type { Handler, Opener, SteppedWrite, TimedReadContext, WriteId } from '../../engine/context.ts'
import { openFulfillmentsCsv } from '../../engine/fulfillments/fulfillment-csv.ts'
import {
  cancelFulfillment,
  checkedRequest,
  createFulfillment,
} from '../../engine/fulfillments/fulfillments.ts'
import { cancelTransfer, requestTransfer, transferFaults } from '../../engine/fulfillments/transfers.ts'
import { arrivalsFaults } from '../../engine/intake/arrivals.ts'
import { openProductsCsv } from '../../engine/items/product-csv.ts'
import { type CatalogLookup, catalogSkusOf, createProduct } from '../../engine/items/products.ts'
import { keepContents } from '../../engine/manifests/manifest-content.ts'
import { openManifestCsv } from '../../engine/manifests/manifest-csv.ts'
import { openClose } from '../../engine/manifests/manifest-submission.ts'
import { manifestFaults, openManifest } from '../../engine/manifests/manifests.ts'
import {
  advanceFulfillment,
  advanceItem,
  fulfillmentAdvanceFaults,
  resolveTransfer,
} from '../../engine/sandbox/advance.ts'
import { openClockAdvance } from '../../engine/sandbox/clock.ts'
import { openIntakes, openReceipt, receiptFaults } from '../../engine/sandbox/receive.ts'
import { atScopeTime, readContext } from '../../engine/unit-of-work.ts'
import {
  createSubscription,
  deleteSubscription,
  redeliver,
  replayFaults,
  replaySubscription,
  rotateSubscriptionSecret,
  testSubscription,
  updateSubscription,
} from '../../engine/webhooks/subscriptions.ts'
import type { Tx } from '../../store/database.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import { faultsOf, type Lookup, type Parsed, type ParsedForm } from '../parsing/parse.ts'
import { checkSubscriptionUrl } from '../webhooks/connections.ts'

export type Sent = ParsedForm & { today: string; catalog: CatalogLookup; scope: Scope }
type SentTo<Id extends WriteId> = Omit<Sent, 'body' | 'form'> & { body: BodyOf<Id>; form: FormOf<Id> }

type Write<Id extends WriteId> = {
  /** Its work grows with its body alone, so a small one takes a few milliseconds. */
  isBrief?: true
  /** Finds errors that the schema cannot express. A request that fails its schema never reaches the handler, so this checks its valid fields. */
  looksUp?: (
    view: TimedReadContext,
    input: { params: Record<string, string>; body: Given<BodyOf<Id>> },
  ) => Promise<FieldErrors>
  /** Waits for the network before the transaction, so that no wait holds the scope. Throws a `Rejection` as the handler would. */
  asksFirst?: (context: Context, input: Parsed) => Promise<void>
} & (
  | { run: Handler<Id> }
  | { opens: Opener<Id> }
  /** For work that may be long (steps.ts). The body is read before any transaction, so that no write waits for it. */
  | { inSteps: (sent: SentTo<Id>, context: Context) => Promise<SteppedWrite> }
)

export const writes: { readonly [Id in WriteId]: Write<Id> } = {
  advanceClock: {
    inSteps: async ({ body }) => openClockAdvance(body),
    looksUp: async ({ now }, { body }) => clockFaults(now, body),
  },
  advanceFulfillment: {
    opens: advanceFulfillment,
    looksUp: (view, { params, body }) => fulfillmentAdvanceFaults(view, params.fulfillment_id ?? '', body),
    isBrief: true,
  },
  advanceItem: { opens: advanceItem, isBrief: true },
  cancelFulfillment: { opens: cancelFulfillment, isBrief: true },
  cancelTransfer: { opens: cancelTransfer, isBrief: true },
  closeManifest: { inSteps: async ({ params }) => openClose(params.manifest_id ?? '') },
  createFulfillment: {
    run: createFulfillment,
    looksUp: async (view, { body }) => (await checkedRequest(view, body, true)).fields,
    isBrief: true,
  },
  createIntakes: {
    inSteps: async ({ body }) => openIntakes(body),
    looksUp: (view, { body }) => arrivalsFaults(view, body.items),
    isBrief: true,
  },
  createProduct: { run: createProduct, isBrief: true },
  createSubscription: { run: createSubscription, asksFirst: checkSubscriptionUrl, isBrief: true },
  deleteSubscription: { opens: deleteSubscription, isBrief: true },
  importFulfillmentsCsv: {
    inSteps: ({ file, today, repeats }, { settings, principal }) => {
      const rules = { today, countriesServed: settings.servedCountries }
      return openFulfillmentsCsv(file, rules, repeats, principal ? 'alone' : 'shared')
    },
  },
  importProductsCsv: { inSteps: ({ file, repeats }) => openProductsCsv(file, repeats) },
  receiveManifest: {
    inSteps: async ({ params, body }) => openReceipt(params.manifest_id ?? '', body),
    looksUp: (view, { params, body }) => receiptFaults(view, params.manifest_id ?? '', body),
  },
  redeliver: { opens: redeliver, isBrief: true },
  replaySubscription: { opens: replaySubscription, looksUp: (view, { body }) => replayFaults(view, body) },
  requestTransfer: {
    run: requestTransfer,
    looksUp: (view, { body }) => transferFaults(view, body),
    isBrief: true,
  },
  resolveTransfer: { opens: resolveTransfer, isBrief: true },
  rotateSubscriptionSecret: { run: rotateSubscriptionSecret, isBrief: true },
  submitManifest: {
    inSteps: async ({ body, catalog, repeats, scope }, context) => {
      if (repeats === 'skip') await keepContents(context, scope, body.reference)
      return openManifest(body, catalog, repeats)
    },
    looksUp: (view, { body }) => manifestFaults(body, (skus) => catalogSkusOf(view, skus)),
    isBrief: true,
  },
  submitManifestCsv: {
    inSteps: async ({ file, form, catalog, repeats, scope }, context) => {
      if (repeats === 'skip') await keepContents(context, scope, form.reference)
      return openManifestCsv(file, form, catalog, repeats)
    },
  },
  testSubscription: { run: testSubscription, isBrief: true },
  updateSubscription: { run: updateSubscription, asksFirst: checkSubscriptionUrl, isBrief: true },
}

export function sentWith(context: Context, scope: Scope, today: string, parsed: ParsedForm): Sent {
  const catalog: CatalogLookup = (skus) =>
    context.db.read((tx) => catalogSkusOf(readContext(tx, scope, context), skus), {
      scope: scope.id,
      long: true,
    })
  return { ...parsed, today, catalog, scope }
}

export function lookUpFor(context: Context, id: WriteId, scope: Scope): Lookup | undefined {
  const { looksUp, asksFirst, inSteps } = writes[id] as Partial<Extract<Write<WriteId>, { inSteps: unknown }>>
  if (asksFirst) return (left) => faultsOf(asksFirst(context, left))
  // Reads the file, whose own faults do not depend on the date.
  if (inSteps && (operationOf(id) as Operation).form)
    return (left) => faultsOf(inSteps(sentWith(context, scope, '', left) as SentTo<WriteId>, context))
  if (!looksUp) return undefined
  return ({ params, body }) => {
    const ask = async (tx: Tx) => {
      const view = await atScopeTime(readContext(tx, scope, context))
      return { fields: await looksUp(view, { params, body: body as never }) }
    }
    return context.db.read(ask, { scope: scope.id, long: true })
  }
}
