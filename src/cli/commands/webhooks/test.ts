import type { Client } from '../../../client/client.ts'
import type { Delivery } from '../../../contract/resources/event.ts'
import { runtime, sleep } from '../../../runtime/runtime.ts'
import { afterDone } from '../../base/failure.ts'
import { quoted } from '../../base/shell-word.ts'
import { durationSeconds } from '../../base/times.ts'
import type { CommandFile } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { forEachNamed, namesFrom } from '../../list/several.ts'
import { deliveryList } from '../../views/webhooks.ts'
import { findSubscriptionId, noticeSender, webhookArguments } from '../../webhooks/subscription.ts'

type Options = IdempotentOptions & { wait?: string }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Send a signed sample event',
  details: '--wait waits for the first attempts and exits 9 if one was not delivered.',
  examples: ['webhooks test https://hooks.example.com/custody --wait 20s'],
  define: (test) =>
    webhookArguments(idempotent(test)).option('--wait <duration>', 'Wait for the first attempt, as in 20s'),
  view: () => deliveryList,
  async run(session, given, options) {
    const seconds = options.wait === undefined ? undefined : durationSeconds(options.wait, '--wait')
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    let queued = 0
    let undelivered = 0
    const outcome = await forEachNamed(session, named, async (name) => {
      const params = { subscription_id: await findSubscriptionId(client, name) }
      await session.targetToWrite()
      const { data } = await client.testSubscription({ params, idempotencyKey: options.idempotencyKey })
      queued += 1
      if (seconds === undefined) return data
      const delivery = await attempted(client, params, data, seconds).catch((error: Error) => {
        afterDone(
          error,
          session.notice,
          (why) =>
            `The sample is queued. The outcome of its attempt is not known${why} See: custody webhooks deliveries ${quoted(name)}`,
        )
        return data
      })
      if (delivery.status !== 'delivered') undelivered += 1
      return delivery
    })
    if (seconds === undefined && queued > 0) noticeSender(session, await session.target())
    return undelivered > 0 ? 'some_failed' : outcome
  },
}

const pollMs = 500

/** Waits for the first attempt, at most `seconds`. Returns the latest state. */
async function attempted(
  client: Client,
  params: { subscription_id: string },
  queued: Delivery,
  seconds: number,
): Promise<Delivery> {
  const deadline = runtime.uptime() + seconds * 1000
  let delivery = queued
  while (delivery.attempts === 0 && runtime.uptime() < deadline) {
    await sleep(pollMs)
    const { results } = (await client.listDeliveries({ params })).data
    delivery = results.find(({ id }) => id === queued.id) ?? delivery
  }
  return delivery
}
