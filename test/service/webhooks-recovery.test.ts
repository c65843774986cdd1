import { afterEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'
import { heldBack } from '../support/held-back.ts'

describe.each(usualDatabases)(
  "a delivery worker that has read a receiver's state, over $name (decisions 9)",
  (database) => {
    let delivering: Delivering
    afterEach(() => delivering.close())

    test('gives a receiver its eight at once if it recovers while being read as failing', async () => {
      delivering = await startDelivering(database)
      const { harness, receiver } = delivering
      await delivering.worker.stop(0)
      const [read, recorded, goOn] = [
        Promise.withResolvers(),
        Promise.withResolvers(),
        Promise.withResolvers(),
      ]
      let isHeld = false
      const db: Database = {
        ...harness.db,
        async read(fn, how) {
          const found = await harness.db.read(fn, how)
          if (!isHeld) return found
          read.resolve(undefined)
          await goOn.promise
          return found
        },
      }
      const worker = delivering.makeWorker({
        db,
        log: ({ verdict }) => verdict === 'delivered' && recorded.resolve(0),
      })
      worker.start()
      await delivering.subscribe()
      receiver.answer(500)
      await emitEvents(harness)
      await worker.idle()
      const { held, answer, letGo } = heldBack()
      receiver.answer(answer)
      await emitEvents(harness, 20)
      await receiver.arrived(2)
      isHeld = true
      harness.service.signal.notify(harness.scope.id)
      await read.promise
      letGo(200)
      await recorded.promise
      isHeld = false
      goOn.resolve(undefined)
      await receiver.arrived(10)
      expect(held).toHaveLength(8)
      receiver.answer(200)
      letGo(200)
      await worker.idle()
      expect(receiver.received).toHaveLength(21)
      await worker.stop(0)
    })
  },
)
