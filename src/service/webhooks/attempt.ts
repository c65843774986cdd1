import type { Agent } from 'node:http'
import { webhookTarget, webhookUrlFault } from '../../domain/webhooks/webhook-address.ts'
import type { AttemptResult } from '../../domain/webhooks/webhook-attempt.ts'
import { askedDelayMs } from '../../domain/webhooks/webhook-schedule.ts'
import { signedHeaders } from '../../domain/webhooks/webhook-signature.ts'
import type { Attempt } from '../../engine/webhooks/delivery-attempts.ts'
import { AttemptFault, faultOf } from './attempt-fault.ts'
import { post } from './post.ts'

const userAgent = 'Custody-Webhooks/1.0'

/**
 * Signs and sends a delivery once. Never throws: what goes wrong is a result. The signature's time is the machine's,
 * whatever the scope's clock says, since receivers compare it with their own.
 */
export async function makeAttempt(
  attempt: Attempt,
  connections: Agent,
  clock: () => number,
  abort: AbortSignal,
): Promise<AttemptResult> {
  try {
    if (webhookUrlFault(attempt.url) !== null) throw new AttemptFault('The URL is no longer allowed.')
    const posting = {
      target: webhookTarget(attempt.url),
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signedHeaders(attempt.secrets, attempt.eventId, attempt.payload, clock()),
      },
      body: attempt.payload,
    }
    const { status, headers } = await post(connections, posting, abort)
    return { response_code: status, error: null, retry_after_ms: askedDelayMs(headers, clock()) }
  } catch (error) {
    return { response_code: null, error: faultOf(error).message, retry_after_ms: null }
  }
}
