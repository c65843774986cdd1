import type { BodyOf } from '../../contract/operations.ts'
import type { Given } from '../../domain/given.ts'
import { type FieldErrors, Refusal } from '../../domain/refusal.ts'
import { clockFaults } from '../../domain/scope-clock.ts'
import type { TimedReadContext } from '../../engine/context.ts'
import { checkedRequest } from '../../engine/fulfillments/fulfillments.ts'
import { fulfillmentAdvanceFaults } from '../../engine/fulfillments/sandbox-advance.ts'
import { transferFaults } from '../../engine/fulfillments/transfers.ts'
import { arrivalsFaults } from '../../engine/intake/arrivals.ts'
import { receiptFaults } from '../../engine/intake/sandbox-receive.ts'
import { catalogSkusOf } from '../../engine/items/products.ts'
import { manifestFaults } from '../../engine/manifests/manifests.ts'
import { atScopeTime } from '../../engine/unit-of-work.ts'
import { replayFaults } from '../../engine/webhooks/deliveries.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import type { LookUp, Parsed } from '../parsing/parse.ts'
import type { ScopedId, SteppedId, WriteId } from './handlers.ts'
import { preChecks } from './pre-checks.ts'

type Look<Id extends WriteId | SteppedId> = (
  view: TimedReadContext,
  input: { params: Record<string, string>; body: Given<BodyOf<Id>> },
) => Promise<FieldErrors>

/**
 * The faults of a body beyond its form, by the rules of its handler. A request with faults of form never reaches its handler:
 * its other fields are checked here, in a read, since nothing is written.
 */
const looks: { [Id in WriteId | SteppedId]?: Look<Id> } = {
  submitManifest: (view, { body }) => manifestFaults(body, (skus) => catalogSkusOf(view, skus)),
  createFulfillment: async (view, { body }) => (await checkedRequest(view, body, true)).fields,
  requestTransfer: (view, { body }) => transferFaults(view, body),
  createIntakes: (view, { body }) => arrivalsFaults(view, body.items),
  advanceFulfillment: (view, { params, body }) =>
    fulfillmentAdvanceFaults(view, params.fulfillment_id ?? '', body),
  advanceClock: async ({ now }, { body }) => clockFaults(now, body),
  replaySubscription: (view, { body }) => replayFaults(view, body),
  receiveManifest: (view, { params, body }) => receiptFaults(view, params.manifest_id ?? '', body),
}

/** The check of an operation's body beyond its form; undefined if its form says it all. */
export function lookUpFor(context: Context, id: ScopedId, scope: Scope): LookUp | undefined {
  const look = looks[id as WriteId | SteppedId] as LookLike | undefined
  const preCheck = preChecks[id]
  if (preCheck) return (input) => faultsOf(() => preCheck(context, input as Parsed))
  if (!look) return undefined
  const { db, sources, settings } = context
  return (input) =>
    db.read(async (tx) => look(await atScopeTime({ tx, scope, sources, settings }), input), {
      scope: scope.id,
      long: true,
    })
}

type LookLike = (view: TimedReadContext, input: Parameters<LookUp>[0]) => Promise<FieldErrors>

async function faultsOf(check: () => Promise<void>): Promise<FieldErrors> {
  try {
    await check()
    return {}
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.extra.fields as FieldErrors
    throw thrown
  }
}
