import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { expectEqualToService, rowsOfMirror } from '../support/mirror-rows.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'
import { chanceOf, isLong, seed } from '../support/soak.ts'

const kills = Number(process.env.CUSTODY_KILLS ?? 60)
const killsBetweenLooks = 6
const news = 700

describe.runIf(isLong).each(['embedded', 'over HTTP'])(`kill -9 of sync, %s (seed ${seed})`, (how) => {
  let operator: Operator
  let served: Served | undefined
  let env: Record<string, string> = {}
  beforeAll(async () => {
    operator = await newOperator('seeded')
    if (how === 'embedded') return
    served = await serve(operator, { isOwn: true, flags: ['--rate-limit', 'off'] })
    env = { ...served.env, CUSTODY_DATABASE: '' }
  }, 120_000)
  afterAll(async () => {
    await served?.stop()
    operator.leave()
  })

  test(`${kills} times at random points, while the service has news, leaves a copy that the next run makes equal`, async ({
    annotate,
  }) => {
    const chance = chanceOf(seed)
    const sync = async (file: string): Promise<void> => {
      const { exitCode, stderr } = await operator.run(['sync', file], { env })
      expect([exitCode, stderr]).toEqual([0, expect.any(String)])
    }
    await sync('killed.db')
    let longest = 500
    let partial = 0
    for (let kill = 0; kill < kills; ) {
      await happen(operator, kill)
      const before = eventsIn('killed.db')
      const syncing = Array.from({ length: Math.min(killsBetweenLooks, kills - kill) })
      for (const _ of syncing) {
        const running = operator.start(['sync', 'killed.db'], { env })
        await Promise.race([pause(chance() * longest), running])
        running.kill('SIGKILL')
        await running
        kill += 1
      }
      if (eventsIn('killed.db') > before) partial += 1
      const started = performance.now()
      await sync('killed.db')
      longest = performance.now() - started
      await sync(`whole-${kill}.db`)
      expect(rowsOfMirror(operator.path('killed.db'))).toEqual(
        rowsOfMirror(operator.path(`whole-${kill}.db`)),
      )
    }
    await expectEqualToService(operator, 'killed.db')
    expect(partial).toBeGreaterThan(0)
    await annotate(`${kills} kills, ${partial} of the looks after part of the news was copied`)
  }, 3_600_000)

  function eventsIn(file: string): number {
    return rowsOfMirror(operator.path(file)).events!.length
  }
})

/** Arrivals, moves, and orders of which some are cancelled: several pages of events. */
async function happen(operator: Operator, round: number): Promise<void> {
  const items = Array.from({ length: news }, (_, at) => ({
    ...{ type: 'graded_slab', name: `Card ${at}`, grader: 'PSA', grade: '9' },
    cert_number: String(30_000_000 + round * news + at),
  }))
  operator.write('intakes.json', JSON.stringify({ items }))
  const address = ['--recipient-name', 'Ann', '--street', '1 Elm', '--city', 'Austin', '--state', 'TX']
  const place = [...address, '--zip', '78701', '--country', 'US']
  const run = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await operator.run(args)
    expect([args, exitCode, stderr]).toEqual([args, 0, expect.any(String)])
    return stdout
  }
  await run('api', 'POST', '/sandbox/intakes', '--input', 'intakes.json')
  const received = await operator.look<Item[]>(['items', 'ls', '--status', 'received', '--limit', '3'])
  for (const { qid } of received) await run('sandbox', 'advance', qid, '--to', 'available')
  const [kept, cancelled] = received.map(({ qid }) => ['fulfillments', 'create', '--qid', qid, ...place])
  await run(...kept!)
  const { id } = JSON.parse(await run(...cancelled!, '--json')) as Fulfillment
  await run('fulfillments', 'cancel', id, '--yes')
}
