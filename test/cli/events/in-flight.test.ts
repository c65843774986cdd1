import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../../src/cli/events/event-pages.ts'
import { createInFlight } from '../../../src/cli/events/in-flight.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'

describe('events in progress', () => {
  test('run one at a time: the next begins when the previous is done', async () => {
    const run = await start(1, 3)
    expect(run.begun).toEqual([0])
    await run.finish(0)
    expect([run.begun, run.cursors]).toEqual([[0, 1], [0]])
    await run.finish(1)
    await run.finish(2)
    await run.end
    expect(run.cursors).toEqual([0, 1, 2])
  })

  test('hold the cursor, and the intake of more, at the earliest unfinished one', async () => {
    const run = await start(3, 6)
    await run.finish(1)
    await run.finish(2)
    // Three are unfinished: if everything ended now, only these would come again.
    expect([run.begun, run.cursors]).toEqual([[0, 1, 2], []])
    await run.finish(0)
    expect([run.begun, run.cursors]).toEqual([[0, 1, 2, 3, 4, 5], [2]])
  })

  test('finish after one ends the run: no other starts, and the cursor stays before it', async () => {
    const run = await start(3, 6)
    await run.finish(1, new Error('of the event'))
    await run.finish(0)
    await run.finish(2)
    await expect(run.end).rejects.toThrow('of the event')
    expect([run.begun, run.cursors]).toEqual([[0, 1, 2], [0]])
  })

  test('never leave an undone event before the cursor, nor exceed the limit after it', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 40 }),
      fc.infiniteStream(fc.nat()),
      fc.infiniteStream(fc.boolean()),
      async (most, count, choices, wanted) => {
        const isWanted = Array.from({ length: count }, () => wanted.next().value)
        const run = await start(most, count, (index) => isWanted[index] ?? true)
        const done = new Set<number>()
        for (;;) {
          const open = run.begun.filter((index) => !done.has(index))
          const cursor = run.cursors.at(-1) ?? -1
          const undone = run.begun.filter((index) => index <= cursor && !done.has(index))
          expect(undone).toEqual([])
          expect(run.begun.filter((index) => index > cursor).length).toBeLessThanOrEqual(most)
          if (open.length === 0) break
          const next = open[choices.next().value % open.length] as number
          done.add(next)
          await run.finish(next)
        }
        await run.end
        expect(run.begun).toEqual(isWanted.flatMap((is, index) => (is ? [index] : [])))
        expect(run.cursors).toEqual([...run.cursors].sort((a, b) => a - b))
        expect(run.cursors.at(-1)).toBe(count === 0 ? undefined : count - 1)
      },
    )
    await fc.assert(property)
  })
})

/** Receives `count` events, whose work ends when a test says so; unwanted ones are skipped. */
async function start(most: number, count: number, isWanted: (index: number) => boolean = () => true) {
  const begun: number[] = []
  const cursors: number[] = []
  const going = new Map<number, (error?: Error) => void>()
  let isHalted = false
  const hand = createInFlight({
    most,
    work: ({ event }) => {
      const index = Number(event.id)
      begun.push(index)
      return new Promise((resolve, reject) =>
        going.set(index, (error) => (error ? reject(error) : resolve(true))),
      )
    },
    moveTo: (id) => cursors.push(Number(id)),
    halt: () => {
      isHalted = true
    },
  })
  const take = async (): Promise<void> => {
    for (let index = 0; index < count && !isHalted; index++) {
      if (isWanted(index)) await hand.take(logged(index))
      else hand.passed(String(index))
    }
    await hand.drain()
  }
  const end = take()
  end.catch(() => {})
  await new Promise(setImmediate)
  return {
    begun,
    cursors,
    end,
    /** Resolves once all consequences have happened. */
    async finish(index: number, error?: Error) {
      going.get(index)?.(error)
      await new Promise(setImmediate)
    },
  }
}

function logged(index: number): LoggedEvent {
  return { event: { id: String(index) } as unknown as WebhookEvent, text: () => '' }
}
