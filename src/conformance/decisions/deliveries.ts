import type { Hidden } from '../check.ts'

const pushed = 'test/service/webhooks.test.ts'
const scheduled = 'test/service/webhooks-schedule.test.ts'

/** Decisions 9 on delivery: only a receiver sees it, and what is pushed leaves for public addresses alone. */
export const deliveryDecisions: readonly Hidden[] = [
  {
    clause: 'D9-9',
    text: 'deliveries are signed by Standard Webhooks 1.0: webhook-id, webhook-timestamp, webhook-signature v1',
    coveredBy: `${pushed}: an event is posted as the exact bytes of the log, signed by Standard Webhooks`,
  },
  {
    clause: 'D9-10',
    text: "two signatures while a rotation's grace runs",
    coveredBy: `${pushed}: a rotated secret signs beside the new one while the grace runs, and not a moment longer`,
  },
  {
    clause: 'D9-11',
    text: 'ten attempts: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h after one another, jitter 20 %',
    coveredBy: `${scheduled}: ten attempts are made, each within 20 % of its delay after the one before; then it is dead`,
  },
  {
    clause: 'D9-12',
    text: 'an attempt has 15 s',
    coveredBy: 'test/service/webhooks-faults.test.ts: no answer within fifteen seconds is a failure',
  },
  {
    clause: 'D9-13',
    text: 'only 2xx succeeds; redirects are never followed',
    coveredBy: `${scheduled}: a redirect (%i) is no success and is not followed`,
  },
  {
    clause: 'D9-15',
    text: 'Retry-After is honoured',
    coveredBy: `${scheduled}: Retry-After puts off the delivery and every other one of the receiver`,
  },
  {
    clause: 'D9-16',
    text: '410 deactivates',
    coveredBy: `${scheduled}: 410 makes the delivery dead and the subscription inactive: nothing more is queued or sent`,
  },
  {
    clause: 'D9-17',
    text: '5 days without a success deactivate',
    coveredBy: `${scheduled}: five days without a success deactivate; a success in between starts them anew`,
  },
  {
    clause: 'D9-18',
    text: 'a delivery out of attempts is dead, and can be redelivered',
    coveredBy: `${scheduled}: a dead one is queued again by redeliver, with ten attempts more`,
  },
  {
    clause: 'D9-19',
    text: 'the URL is checked again at every connection, on the address actually dialled',
    coveredBy:
      'test/service/webhooks-connection.test.ts: the name is asked for once, and what was judged is what is dialled',
  },
  {
    clause: 'D9-20',
    text: 'at least once: what was under way when a process died is delivered',
    coveredBy:
      'test/service/webhooks-killed.test.ts: what it was delivering, and what it had not begun, is delivered after kill -9',
  },
  {
    clause: 'D9-21',
    text: 'a name that does not resolve is accepted when it is set (decisions 11)',
    coveredBy:
      'test/engine/subscriptions-url.test.ts: a name that does not resolve, and one whose servers fail, are accepted',
  },
]
