import type { Context } from '../context.ts'
import type { Parsed } from '../parsing/parse.ts'
import { checkSubscriptionUrl } from '../webhooks/url-check.ts'
import type { ScopedId } from './handlers.ts'

type Prepare = (context: Context, input: Parsed) => Promise<void>

/**
 * What a write must find out beyond the database. It runs after parsing and before the transaction is opened, so that
 * no wait for a network holds the scope. Throws a refusal as the handler would.
 */
export const prepares: Partial<Record<ScopedId, Prepare>> = {
  createSubscription: checkSubscriptionUrl,
  updateSubscription: checkSubscriptionUrl,
}
