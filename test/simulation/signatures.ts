import { createHmac } from 'node:crypto'
import { isGood } from './blocks.ts'
import type { Model } from './model.ts'
import type { History } from './run.ts'

/** When a secret was requested and heard; one that nobody heard of may still be used. */
type Secret = { asked: number; answered: number; value: string | undefined }

/** A subscription whose creation nobody heard of, named by its address later. */
const unheard: Secret = { asked: 0, answered: Number.POSITIVE_INFINITY, value: undefined }

/** Longer than a delivery that began with the previous secret: the machine may have slept for hours in between. */
const takesMs = 10 * 3_600_000

/**
 * A receiver's check of each webhook (ruling 9): one of its signatures covers exactly these bytes, with a secret that was the
 * newest at that moment or later. It implements Standard Webhooks and uses nothing of the product.
 */
export function signed({ done, receipts }: History, model: Model): void {
  const secrets = new Map<string, Secret[]>()
  for (const { act, issues, isStrange } of done) {
    if (isStrange) continue
    if (act.id !== 'createSubscription' && act.id !== 'rotateSubscriptionSecret') continue
    const good = issues.find(({ status }) => isGood(status))
    if (!good && issues.every(({ status }) => status !== undefined)) continue
    const answer = good?.text ? JSON.parse(good.text) : undefined
    const id: string | undefined = 'params' in act.request ? act.request.params.subscription_id : answer?.id
    if (id === undefined) continue
    const one = {
      asked: issues[0]!.asked,
      answered: good?.answered ?? Number.POSITIVE_INFINITY,
      value: answer?.secret,
    }
    const before = act.id === 'createSubscription' ? [] : [unheard]
    secrets.set(id, [...(secrets.get(id) ?? before), one])
  }
  for (const { subscriptionId: id, eventId, payload, at, headers } of receipts) {
    const known = secrets.get(id)
    // Another partner's, or one whose creation nobody heard of.
    if (!known) continue
    const settled = known.filter(({ answered }) => answered < at - takesMs)
    const newest = Math.max(...settled.map(({ asked }) => asked))
    // An unheard secret also ends once a later one was requested and heard; of two at once, nobody knows which was last.
    const possible = known.filter(
      ({ asked, answered }) =>
        asked <= at &&
        answered >= newest &&
        (answered < Number.POSITIVE_INFINITY || asked > newest - takesMs),
    )
    if (possible.some(({ value }) => value === undefined)) continue
    const content = `${eventId}.${headers['webhook-timestamp']}.${payload}`
    const isRight = possible.some(({ value }) =>
      headers['webhook-signature'].split(' ').includes(`v1,${signatureOf(value!, content)}`),
    )
    if (!isRight || headers['webhook-id'] !== eventId)
      model.faults.push(`${id} was sent ${eventId} with a wrong signature`)
  }
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return createHmac('sha256', key).update(Buffer.from(content, 'utf8')).digest('base64')
}
