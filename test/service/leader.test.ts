import { beforeEach, describe, expect, test } from 'vitest'
import { createLeader } from '../../src/service/jobs/scheduler.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'

describe.each(databases)('work that one process does for all, over $name', (database) => {
  const harness = forEachTest(harnessWith(database))
  let done: string[]
  let name: string
  beforeEach(async () => {
    done = []
    name = `work of scope ${harness.scope.id}`
  })

  const process = (word: string) => {
    const leader = createLeader(harness.db, harness.sources.clock)
    const work = () => leader.only(name, 30_000, async () => void done.push(word))
    return { work, resign: leader.resign }
  }

  test('is repeated by that process, and by another only after the lease expires', async () => {
    const [first, second] = [process('first'), process('second')]
    await first.work()
    await second.work()
    harness.pass(20_000)
    await first.work()
    harness.pass(20_000)
    await second.work()
    expect(done).toEqual(['first', 'first'])
    harness.pass(10_000)
    await second.work()
    await first.work()
    expect(done).toEqual(['first', 'first', 'second'])
  })

  test('passes on at once when the process stops', async () => {
    const [first, second] = [process('first'), process('second')]
    await first.work()
    await first.resign()
    await second.work()
    expect(done).toEqual(['first', 'second'])
  })

  test('goes to one of many that ask at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => process(`${i}`).work()))
    expect(done).toHaveLength(1)
  })
})
