import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { onBadMachine } from '../support/bad-machine.ts'
import { type KillingGateway, startKillingGateway, wirePoints } from '../support/killing-gateway.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { copyToPostgres } from '../support/postgres-schema.ts'
import { type Served, serve } from '../support/served.ts'
import { chanceOf, isLong, seed } from '../support/soak.ts'

const kills = Number(process.env.CUSTODY_KILLS ?? 500)
const orders = 20
const badRows = 5000 - orders / 2
const sku = 'SUP-TOP-35'
const own = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const shop =
  'Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country'

/** `requests`: how many orders are sent by. */
type Form = { head: string; rowsOf: (name: string) => string[]; requests: number; bad?: number }

/** One row for each order; two for a shop's order. */
const forms: Record<string, Form> = {
  'with references': {
    head: own,
    rowsOf: (name) => [`${sku},1,${name},1 Main St,Austin,TX,73301,US,${name}`],
    requests: 1,
  },
  'without references': {
    head: own,
    rowsOf: (name) => [`${sku},1,${name},1 Main St,Austin,TX,73301,US,`],
    requests: 1,
  },
  'of a shop': {
    head: shop,
    rowsOf: (name) =>
      ['A', 'B'].map((line) => `${name},paid,1,${line},${sku},${name},1 Main St,Austin,73301,TX,US`),
    requests: orders,
  },
  'in two chunks, with bad rows between its orders': {
    head: own,
    rowsOf: (name) => [
      ...(name.endsWith(`-${orders / 2}`) ? Array<string>(badRows).fill(`${sku},1,Bad,,,,,,`) : []),
      `${sku},1,${name},1 Main St,Austin,TX,73301,US,${name}`,
    ],
    requests: 2,
    bad: badRows,
  },
}

const ways = ['embedded', 'over HTTP', 'embedded in PostgreSQL', 'over HTTP to PostgreSQL']

describe.runIf(isLong).each(ways)(`kill -9 of imports of orders, %s (seed ${seed})`, (how) => {
  let operator: Operator
  let served: Served | undefined
  let gateway: KillingGateway | undefined
  let env: Record<string, string> = {}
  beforeAll(async () => {
    operator = await newOperator('seeded')
    const at = how.endsWith('PostgreSQL') ? await copyToPostgres(operator) : operator.database
    served = await serve(operator, { isOwn: true, at, flags: ['--rate-limit', '100000'] })
    await stock(served, kills * orders * 3 + 2000)
    if (how.startsWith('over HTTP')) {
      gateway = await startKillingGateway(served.baseUrl)
      env = { ...served.env, CUSTODY_BASE_URL: gateway.baseUrl, CUSTODY_DATABASE: '' }
    } else {
      env = { CUSTODY_DATABASE: at }
      await served.stop()
    }
  }, 600_000)
  afterAll(async () => {
    await gateway?.close()
    if (gateway) await served?.stop()
    operator.leave()
  })

  const start = (args: readonly string[], more = {}) => operator.start(args, { env: { ...env, ...more } })

  test(`${kills} times at random points, each followed by the same command, gives each order once`, async () => {
    let longest = 2000
    await campaign('R', async (args, chance) => {
      const started = performance.now()
      const running = start(args)
      await Promise.race([pause(chance() * longest), running])
      const { signal } = await killed(running)
      if (signal !== 'SIGKILL') longest = performance.now() - started
      return true
    })
  }, 3_600_000)

  test.runIf(how.startsWith('over HTTP'))(
    `${kills} times of the service, while the command waits for it, gives each order once`,
    async () => {
      await campaign('S', async (args, chance) => {
        const running = start(args)
        await Promise.race([pause(chance() * 2000), running])
        await served?.restart()
        await running
        return true
      })
    },
    3_600_000,
  )

  // Planted points are statements of SQLite, or exchanges over HTTP.
  test.skipIf(how === 'embedded in PostgreSQL')(
    `${kills} times at planted points, each followed by the same command, gives each order once`,
    async () => {
      let turn = 0
      /** Statements of a first run and of later ones, at least. */
      const statements = new Map<string, number>()
      await campaign('P', async (args, chance, form, isFirst) => {
        const kind = `${form} ${isFirst}`
        const most = statements.get(kind) ?? 1000
        const statement = 1 + Math.floor(chance() * most)
        const point = wirePoints[turn++ % wirePoints.length]!
        const exchange = 1 + Math.floor(chance() * (forms[form]?.requests ?? 1))
        const running = start(args, gateway ? {} : onBadMachine({ statement }))
        gateway?.plan({ exchange, point, kill: () => killed(running) })
        const { signal } = await running
        if (signal !== 'SIGKILL') statements.set(kind, statement - 1)
        return signal === 'SIGKILL'
      })
    },
    3_600_000,
  )

  /** `kill` returns whether the command was killed. */
  async function campaign(
    letter: string,
    kill: (args: readonly string[], chance: () => number, form: string, isFirst: boolean) => Promise<boolean>,
  ): Promise<void> {
    const chance = chanceOf(seed)
    const names: string[] = []
    for (let killed = 0, at = 0; killed < kills; at++) {
      const [form, { head, rowsOf, bad = 0 }] = Object.entries(forms)[at % 4]!
      const mine = Array.from({ length: orders }, (_, order) => `${letter}${at}-${order}`)
      const file = operator.write(`${letter}${at}.csv`, [head, ...mine.flatMap(rowsOf), ''].join('\n'))
      const args = ['fulfillments', 'import', file]
      const times = 1 + Math.floor(chance() * 2)
      for (let time = 0; time < times; time++) if (await kill(args, chance, form, time === 0)) killed++
      const { exitCode, stdout, stderr } = await operator.run(args, { env })
      expect([form, exitCode, stdout, stderr]).toEqual([
        form,
        bad > 0 ? 9 : 0,
        expect.stringContaining(`failed\t${bad}\n`),
        expect.any(String),
      ])
      if (bad > 0) expect(operator.read(`${file}.errors.csv`).trim().split('\n')).toHaveLength(bad + 1)
      names.push(...mine)
    }
    const ordered = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--all'], { env })
    const recipients = ordered.map(({ shipping_address }) => shipping_address?.recipient_name ?? '')
    const isOfCampaign = (name: string): boolean => name.startsWith(letter) && name.includes('-')
    expect(recipients.filter(isOfCampaign).sort()).toEqual(names.sort())
  }
})

/** Units that can be ordered. */
async function stock({ baseUrl, key }: Served, units: number): Promise<void> {
  const post = async (path: string, body: unknown): Promise<{ intakes: Array<{ qid: string }> }> => {
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    }
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { intakes: Array<{ qid: string }> }
  }
  for (let done = 0; done < units; done += 100) {
    const items = Array.from({ length: 100 }, () => ({ type: 'product', sku }))
    const { intakes } = await post('/sandbox/intakes', { items })
    for (const { qid } of intakes) await post(`/sandbox/items/${qid}/advance`, { to_status: 'available' })
  }
}

/** Resolves when the command is dead. */
function killed(running: ReturnType<Operator['start']>) {
  running.kill('SIGKILL')
  return running
}
