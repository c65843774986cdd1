import { expect, test } from 'vitest'
import { createScheduler } from '../../src/service/jobs/scheduler.ts'
import { manualTimers } from '../support/manual-timers.ts'

/** A chore that runs until it is told to end, or to fail. */
function startChore(everyMs: number) {
  const timers = manualTimers()
  const errors: unknown[] = []
  const runs: Array<{ end(): void; fail(error: unknown): void; mayGoOn(): boolean }> = []
  const run = (mayGoOn: () => boolean): Promise<void> =>
    new Promise((end, fail) => runs.push({ end, fail, mayGoOn }))
  const scheduler = createScheduler([{ everyMs, run }], timers, (error) => errors.push(error))
  return { scheduler, timers, errors, runs }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a chore runs at the start, and again so long after each run has ended', async () => {
  const { scheduler, timers, runs } = startChore(5000)
  scheduler.start()
  await turn()
  expect([runs.length, timers.set()]).toEqual([1, []])
  runs[0]?.end()
  await turn()
  timers.ring(5000)
  expect([runs.length, timers.set()]).toEqual([2, []])
})

test('one that fails is told of, and tried again', async () => {
  const { scheduler, timers, runs, errors } = startChore(5000)
  scheduler.start()
  runs[0]?.fail('no')
  await turn()
  timers.ring(5000)
  expect([errors, runs.length]).toEqual([['no'], 2])
})

test('a stop waits for what runs, which is told of it, and nothing begins after it', async () => {
  const { scheduler, timers, runs } = startChore(5000)
  scheduler.start()
  expect(runs[0]?.mayGoOn()).toBe(true)
  let isStopped = false
  const stopping = scheduler.stop().then(() => {
    isStopped = true
  })
  await turn()
  expect([isStopped, runs[0]?.mayGoOn()]).toEqual([false, false])
  runs[0]?.end()
  await stopping
  expect(timers.set()).toEqual([])
})

test('a stop calls off what is set', async () => {
  const { scheduler, timers, runs } = startChore(5000)
  scheduler.start()
  runs[0]?.end()
  await turn()
  await scheduler.stop()
  expect(timers.set()).toEqual([])
})
