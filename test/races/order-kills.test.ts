import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'
import { chanceOf, isLong, seed } from '../support/soak.ts'

const kills = Number(process.env.CUSTODY_KILLS ?? 500)
const orders = 20
const sku = 'SUP-TOP-35'
const own = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const shop =
  'Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country'

/** One row for each order; two for a shop's order. */
const forms = {
  'with references': (name: string) => [`${sku},1,${name},1 Main St,Austin,TX,73301,US,${name}`],
  'without references': (name: string) => [`${sku},1,${name},1 Main St,Austin,TX,73301,US,`],
  'of a shop': (name: string) =>
    ['A', 'B'].map((line) => `${name},paid,1,${line},${sku},${name},1 Main St,Austin,73301,TX,US`),
}

describe.runIf(isLong).each(['embedded', 'over HTTP'])(
  `kill -9 of imports of orders, %s (seed ${seed})`,
  (how) => {
    let operator: Operator
    let served: Served | undefined
    let env: Record<string, string> = {}
    beforeAll(async () => {
      operator = await newOperator('seeded')
      served = await serve(operator, { isOwn: true, flags: ['--rate-limit', '100000'] })
      await stock(served, kills * orders * 2)
      if (how === 'over HTTP') env = { ...served.env, CUSTODY_DATABASE: '' }
      else await served.stop()
    }, 600_000)
    afterAll(async () => {
      if (how === 'over HTTP') await served?.stop()
      operator.leave()
    })

    test(`${kills} times at random points, each followed by the same command, gives each order once`, async () => {
      const chance = chanceOf(seed)
      const names: string[] = []
      let longest = 2000
      for (let kill = 0; kill < kills; ) {
        const [form, rowsOf] = Object.entries(forms)[kill % 3] as [string, (name: string) => string[]]
        const mine = Array.from({ length: orders }, (_, at) => `K${kill}-${at}`)
        const file = operator.write(
          `k${kill}.csv`,
          [form === 'of a shop' ? shop : own, ...mine.flatMap(rowsOf), ''].join('\n'),
        )
        const args = ['fulfillments', 'import', file]
        for (let more = 1 + Math.floor(chance() * 2); more > 0; more--, kill++) {
          const running = operator.start(args, { env })
          await Promise.race([pause(chance() * longest), running])
          running.kill('SIGKILL')
          await running
        }
        const started = performance.now()
        const { exitCode, stdout, stderr } = await operator.run(args, { env })
        longest = performance.now() - started
        expect([form, exitCode, stdout, stderr]).toEqual([
          form,
          0,
          expect.stringContaining('failed\t0\n'),
          expect.any(String),
        ])
        names.push(...mine)
      }
      expect(recipients(operator.database)).toEqual(names.sort())
    }, 3_600_000)
  },
)

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

function recipients(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  const docs = db.prepare('select doc from fulfillments').all() as Array<{ doc: string }>
  db.close()
  const all = docs.map(({ doc }) => JSON.parse(doc).shipping_address?.recipient_name as string | undefined)
  return all.filter((name) => name?.startsWith('K') && name.includes('-')).sort() as string[]
}
