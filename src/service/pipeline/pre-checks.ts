import type { Context } from '../context.ts'
import type { Parsed } from '../parsing/parse.ts'
import { checkSubscriptionUrl } from '../webhooks/url-check.ts'
import type { ScopedId } from './handlers.ts'

type PreCheck = (context: Context, input: Parsed) => Promise<void>

/**
 * What a write must find out beyond the database. It runs after parsing and before the transaction is opened, so that
 * no wait for a network holds the scope. Throws a refusal as the handler would.
 */
export const preChecks: Partial<Record<ScopedId, PreCheck>> = {
  createSubscription: checkSubscriptionUrl,
  updateSubscription: checkSubscriptionUrl,
}
