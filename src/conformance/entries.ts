import { csvDecisions } from './decisions/csv-files.ts'
import { eventDecisions } from './decisions/events.ts'
import { fulfillmentDecisions } from './decisions/fulfillments.ts'
import { idempotencyDecisions } from './decisions/idempotency.ts'
import { identifierDecisions } from './decisions/identifiers.ts'
import { itemDecisions } from './decisions/items.ts'
import { reconciliationDecisions } from './decisions/reconciliation.ts'
import { repeatDecisions } from './decisions/repeats.ts'
import { requestDecisions } from './decisions/requests.ts'
import { sandboxDecisions } from './decisions/sandbox.ts'
import { errorRules } from './parts/errors.ts'
import { eventRules } from './parts/events.ts'
import { commonRules } from './parts/every-operation.ts'
import { fulfillmentRules } from './parts/fulfillments.ts'
import { itemRules } from './parts/items.ts'
import { keyRules } from './parts/keys.ts'
import { limitRules } from './parts/limits.ts'
import { manifestRules } from './parts/manifests.ts'
import { messageRules } from './parts/messages.ts'
import { productRules } from './parts/products.ts'
import { type Check, runnable } from './world.ts'

const unordered = runnable([
  ...errorRules,
  ...eventRules,
  ...commonRules,
  ...fulfillmentRules,
  ...itemRules,
  ...keyRules,
  ...limitRules,
  ...manifestRules,
  ...messageRules,
  ...productRules,
  ...csvDecisions,
  ...eventDecisions,
  ...fulfillmentDecisions,
  ...idempotencyDecisions,
  ...identifierDecisions,
  ...itemDecisions,
  ...reconciliationDecisions,
  ...repeatDecisions,
  ...requestDecisions,
  ...sandboxDecisions,
])

export const entries: readonly Check[] = unordered.toSorted((a, b) => compare(a.clause, b.clause))

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
