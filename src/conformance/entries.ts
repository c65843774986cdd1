import { csvFileDecisions, csvRowDecisions } from './decisions/csv-files.ts'
import { deliveryDecisions, eventDecisions } from './decisions/events.ts'
import { fulfillmentDecisions } from './decisions/fulfillments.ts'
import { httpDecisions, idempotencyDecisions } from './decisions/idempotency.ts'
import { identifierDecisions, keyDecisions, toolDecisions } from './decisions/identifiers.ts'
import { itemDecisions, matchingDecisions } from './decisions/items.ts'
import { reconciliationDecisions } from './decisions/reconciliation.ts'
import { repeatDecisions } from './decisions/repeats.ts'
import { requestDecisions } from './decisions/requests.ts'
import { sandboxDecisions } from './decisions/sandbox.ts'
import { errorRules } from './parts/errors.ts'
import { eventOperations, eventRules } from './parts/events.ts'
import { commonRules } from './parts/every-operation.ts'
import { fulfillmentFields, fulfillmentOperations, fulfillmentStates } from './parts/fulfillments.ts'
import { intakeOperations, itemFields, itemOperations } from './parts/items.ts'
import { keyRules, subscriptionKeyRules } from './parts/keys.ts'
import { limitRules } from './parts/limits.ts'
import { manifestFields, manifestOperations, manifestStates } from './parts/manifests.ts'
import { messageFields } from './parts/messages.ts'
import { productFields, productOperations } from './parts/products.ts'
import { type Entry, runnable } from './world.ts'

const unordered = runnable([
  ...manifestFields,
  ...productFields,
  ...itemFields,
  ...fulfillmentFields,
  ...messageFields,
  ...manifestStates,
  ...fulfillmentStates,
  ...commonRules,
  ...manifestOperations,
  ...productOperations,
  ...itemOperations,
  ...intakeOperations,
  ...fulfillmentOperations,
  ...eventOperations,
  ...keyRules,
  ...subscriptionKeyRules,
  ...eventRules,
  ...errorRules,
  ...limitRules,
  ...keyDecisions,
  ...identifierDecisions,
  ...requestDecisions,
  ...httpDecisions,
  ...idempotencyDecisions,
  ...csvFileDecisions,
  ...csvRowDecisions,
  ...matchingDecisions,
  ...reconciliationDecisions,
  ...itemDecisions,
  ...fulfillmentDecisions,
  ...sandboxDecisions,
  ...eventDecisions,
  ...deliveryDecisions,
  ...repeatDecisions,
  ...toolDecisions,
])

export const entries: readonly Entry[] = unordered.toSorted((a, b) => compare(a.clause, b.clause))

/** Orders `2.9-1` before `2.10-1`, and the parts before the decisions. */
function compare(a: string, b: string): number {
  const [left, right] = [placeOf(a), placeOf(b)]
  const at = left.findIndex((number, index) => number !== right[index])
  return (left[at] ?? 0) - (right[at] ?? 0)
}

function placeOf(clause: string): number[] {
  const [, decisions, part, section = '0', number] =
    /^(D?)(\d{1,3})(?:\.(\d{1,3}))?-(\d{1,3})$/.exec(clause) ?? []
  return [decisions ? 1 : 0, Number(part), Number(section), Number(number)]
}
