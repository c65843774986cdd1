import { afterEach, describe, expect, test } from 'vitest'
import { signedHeaders } from '../../src/domain/webhooks/webhook-signature.ts'
import type { Database } from '../../src/store/database.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'
import { heldBack } from '../support/held-back.ts'

/** Concurrent attempts for one subscription. */
const atOnce = 8
const events = 30

describe.each(usualDatabases)(
  'a subscription changed during delivery, over $name (4.7, decisions 9)',
  (database) => {
    let delivering: Delivering
    afterEach(() => delivering.close())

    /** A worker that has begun some of its leased deliveries, and a signal that it has looked again. */
    async function underWay() {
      delivering = await startDelivering(database)
      const { harness, receiver } = delivering
      await delivering.worker.stop(0)
      const nobody = (): void => {}
      /** Resolves when the next read that begins has ended. */
      let looked = nobody
      const db: Database = {
        ...harness.db,
        read: async (fn, how) => {
          const tell = looked
          looked = nobody
          const answer = await harness.db.read(fn, how)
          tell()
          return answer
        },
      }
      const worker = delivering.makeWorker({ db })
      worker.start()
      await worker.idle()
      const of = await delivering.subscribe({ url: receiver.url('old') })
      const { answer, letGo } = heldBack()
      receiver.answer(answer)
      await emitEvents(harness, events)
      await receiver.arrived(atOnce)
      /** Makes a change, and then answers what had already begun. */
      const change = async (make: () => Promise<unknown>, status = 200): Promise<string[]> => {
        await make()
        // One of the two reads asks whether the leased deliveries are still valid.
        for (let reads = 0; reads < 2; reads++) {
          const read = new Promise<void>((isRead) => {
            looked = isRead
          })
          harness.service.signal.notify(harness.scope.id)
          await read
        }
        receiver.answer(200)
        letGo(status)
        await worker.idle()
        await worker.stop(0)
        return receiver.received.map(({ headers }) => `${headers.host}`.split('.')[0] ?? '')
      }
      return { ...delivering, of, change }
    }

    test.each([
      [
        'a new address',
        ({ receiver }: Delivering) => ({ url: receiver.url('new') }),
        Array(events - atOnce).fill('new'),
      ],
      ['a deactivation', () => ({ active: false }), []],
    ])('applies %s to everything that has not begun', async (_, made, more) => {
      const { harness, of, change } = await underWay()
      const hosts = await change(() => harness.client.updateSubscription({ ...of, body: made(delivering) }))
      expect(hosts).toEqual([...Array(atOnce).fill('old'), ...more])
    })

    test('is sent nothing more once deleted', async () => {
      const { harness, of, change } = await underWay()
      expect(await change(() => harness.client.deleteSubscription(of))).toHaveLength(atOnce)
    })

    test('signs what has not begun with the new secret only, after a rotation without grace', async () => {
      const { harness, receiver, of, change } = await underWay()
      let secret = ''
      await change(async () => {
        const rotated = await harness.client.rotateSubscriptionSecret({ ...of, body: { grace_seconds: 0 } })
        secret = rotated.data.secret
      })
      expect(receiver.received).toHaveLength(events)
      for (const { headers, body } of receiver.received.slice(atOnce)) {
        const [id, seconds] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])]
        expect(headers).toMatchObject(signedHeaders([secret], id, body, seconds * 1000))
      }
    })

    test('gets its events at the new address if the old one answers 410', async () => {
      const { harness, of, change } = await underWay()
      const hosts = await change(
        () => harness.client.updateSubscription({ ...of, body: { url: delivering.receiver.url('new') } }),
        410,
      )
      expect(hosts).toEqual([...Array(atOnce).fill('old'), ...Array(events).fill('new')])
      const { data } = await harness.client.getSubscription(of)
      expect(data.active).toBe(true)
      expect(new Set((await delivering.deliveries(of)).map(({ status }) => status))).toEqual(
        new Set(['delivered']),
      )
    })
  },
)
