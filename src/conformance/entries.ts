import type { Entry } from './check.ts'
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
import { fulfillmentFields } from './part-2/fulfillments.ts'
import { itemFields } from './part-2/items.ts'
import { manifestFields } from './part-2/manifests.ts'
import { messageFields } from './part-2/messages.ts'
import { productFields } from './part-2/products.ts'
import { fulfillmentStates } from './part-3/fulfillments.ts'
import { manifestStates } from './part-3/manifests.ts'
import { eventOperations } from './part-4/events.ts'
import { commonRules } from './part-4/every-operation.ts'
import { fulfillmentOperations } from './part-4/fulfillments.ts'
import { intakeOperations, itemOperations } from './part-4/items.ts'
import { manifestOperations } from './part-4/manifests.ts'
import { productOperations } from './part-4/products.ts'
import { errorRules } from './parts-5-to-9/errors.ts'
import { eventRules } from './parts-5-to-9/events.ts'
import { keyRules, subscriptionKeyRules } from './parts-5-to-9/keys.ts'
import { limitRules } from './parts-5-to-9/limits.ts'

const unordered: readonly Entry[] = [
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
]

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
