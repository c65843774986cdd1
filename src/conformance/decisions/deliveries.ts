import { entriesOf } from '../check.ts'

const pushed = 'test/service/webhooks.test.ts'
const scheduled = 'test/service/webhooks-schedule.test.ts'

/** Decisions 9 about delivery: only a receiver can see it, and events are pushed to public addresses only. */
export const deliveryDecisions = entriesOf({
  'D9-9 deliveries are signed by Standard Webhooks 1.0: webhook-id, webhook-timestamp, webhook-signature v1': `${pushed}: an event is posted as the exact bytes of the log, signed by Standard Webhooks`,
  "D9-10 two signatures while a rotation's grace runs": `${pushed}: a rotated secret signs beside the new one while the grace runs, and not a moment longer`,
  'D9-11 ten attempts: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after one another, jitter 20 %': `${scheduled}: ten attempts are made, each within 20 % of its delay after the one before; then it is dead`,
  'D9-12 an attempt has 15 s':
    'test/service/webhooks-faults.test.ts: no answer within fifteen seconds is a failure',
  'D9-13 only 2xx succeeds; redirects are never followed': `${scheduled}: a redirect (%i) is no success and is not followed`,
  'D9-15 Retry-After is honoured': `${scheduled}: Retry-After puts off the delivery and every other one of the receiver`,
  'D9-16 410 deactivates': `${scheduled}: 410 makes the delivery dead and the subscription inactive: nothing more is queued or sent`,
  'D9-17 5 days without a success deactivate': `${scheduled}: five days without a success deactivate; a success in between starts them anew`,
  'D9-18 a delivery out of attempts is dead, and can be redelivered': `${scheduled}: a dead one is queued again by redeliver, with ten attempts more`,
  'D9-19 the URL is checked again at every connection, on the address actually dialled':
    'test/service/webhooks-connection.test.ts: the name is asked for once, and what was judged is what is dialled',
  'D9-20 at least once: what was under way when a process died is delivered':
    'test/service/webhooks-killed.test.ts: what it was delivering, and what it had not begun, is delivered after kill -9',
  'D9-21 a name that does not resolve is accepted when it is set (decisions 11)':
    'test/engine/subscriptions-url.test.ts: a name that does not resolve, and one whose servers fail, are accepted',
})
