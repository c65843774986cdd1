import type { WebhookEvent } from '../contract/resources/event.ts'
import type { AttemptResult } from '../domain/webhooks/webhook-attempt.ts'
import { signedHeaders } from '../domain/webhooks/webhook-signature.ts'
import type { Attempt } from '../engine/webhooks/delivery-attempts.ts'
import { runtime } from '../runtime/runtime.ts'
import type { DeliveryWorkerOptions } from '../service/webhooks/delivery-options.ts'
import { createDeliveryWorker } from '../service/webhooks/delivery-worker.ts'
import type { StartOptions } from './custody.ts'

type Handler = NonNullable<StartOptions['onWebhook']>

/** Timers that never fire: deliveries are checked after each write, and when the clock moves. */
const noTimers = { after: () => () => {} }

/** Delivers to a function, one webhook at a time, as the real delivery does but without the network. */
export function startDelivery(
  options: DeliveryWorkerOptions,
  handler: Handler,
): { idle(): Promise<void>; stop(): Promise<void> } {
  const worker = createDeliveryWorker({
    ...options,
    timers: noTimers,
    limits: { overall: 2, reserve: 1, subscription: 1 },
    attempt: (attempt) => handTo(handler, attempt),
  })
  worker.start()
  return { idle: () => worker.idle(), stop: () => worker.stop(0) }
}

/** Signed with the machine's time, since receivers compare it with their own. */
async function handTo(
  handler: Handler,
  { url, secrets, eventId, payload, number }: Attempt,
): Promise<AttemptResult> {
  try {
    const status = await handler({
      url,
      headers: {
        'content-type': 'application/json',
        ...signedHeaders(secrets, eventId, payload, runtime.clock()),
      },
      body: payload,
      event: JSON.parse(payload) as WebhookEvent,
      attempt: number,
    })
    return { response_code: status ?? 204, error: null, retry_after_ms: null }
  } catch (error) {
    return { response_code: null, error: `The handler threw: ${error}`, retry_after_ms: null }
  }
}
