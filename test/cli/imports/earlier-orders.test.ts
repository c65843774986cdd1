import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Item } from '../../../src/contract/resources/item.ts'
import { issueKey } from '../../../src/engine/partners.ts'
import type { Service } from '../../../src/service/service.ts'
import { shelve } from '../../support/arrivals.ts'
import { type CliUser, newCliUser } from '../../support/cli-io.ts'
import { fulfillmentCsv } from '../../support/fulfillment-csv.ts'
import { databases, type Harness, startHarness } from '../../support/harness.ts'
import { type HttpHarness, startHttp } from '../../support/http.ts'
import { listedOnly } from '../../support/listed-only.ts'

let harness: Harness
let http: HttpHarness
let user: CliUser
let slabs: Item[]

afterEach(async () => {
  user.dispose()
  await http.close()
  await harness.close()
})

describe.each([
  ['and says so in its document', true],
  ['and has no document', false],
])('a service that lists no orders %s', (_, tells) => {
  test('is asked by the journal: the same again, what has changed, with another key; never what is another partner’s', async () => {
    await open((service) => listedOnly(service, { tells }))
    const rows = [order(0, 'A'), order(1, 'B'), order(2, null)]
    expect(await importOrders(rows)).toMatchObject({ created: 3, already_ordered: 0 })
    const rotated = await harness.db.write((tx) => issueKey(tx, harness.sources, harness.scope))
    for (const key of [harness.key, rotated.key]) {
      const { errors, ...counts } = await importOrders([...rows, order(0, 'A', { zip: '10001' })], key)
      expect(counts).toMatchObject({ created: 0, failed: 1, already_ordered: 3 })
      expect(errors[0]?.message).toMatch(
        /^external_ref "A" was ordered before with other content \(order [\w-]{36}, pending\); zip is "10001" here and "78701" there\.$/,
      )
    }
    const theirs = await harness.db.write((tx) => issueKey(tx, harness.sources, harness.strangerScope))
    expect(await importOrders([order(0, 'A'), order(2, null)], theirs.key)).toMatchObject({
      failed: 2,
      already_ordered: 0,
    })
  })
})

test('a service that takes one reference at a time is asked for each', async () => {
  const asked: string[] = []
  await open((service) => ({
    ...service,
    async handle(call) {
      const names = call.operation === 'listFulfillments' ? call.query.map(([name]) => name) : []
      asked.push(...names.filter((name) => name.startsWith('external_ref')))
      if (!names.includes('external_refs')) return service.handle(call)
      const body = { code: 'validation_error', message: 'external_refs is not known.', extra: {} }
      return { status: 400, headers: {}, body: JSON.stringify(body) }
    },
  }))
  await importOrders([order(0, 'A'), order(1, 'B')])
  const again = await importOrders([order(0, 'A'), order(1, 'B'), order(2, 'C')])
  expect(again).toMatchObject({ created: 1, already_ordered: 2 })
  expect(asked).toEqual(['external_refs', 'external_ref', 'external_ref', 'external_ref'])
})

async function open(around: (service: Service) => Service): Promise<void> {
  harness = await startHarness(databases[0]!)
  http = await startHttp({ ...harness, service: around(harness.service) })
  user = newCliUser()
  slabs = await shelve(harness, [{}, {}, {}])
}

function order(slab: number, external_ref: string | null, more: object = {}): object {
  return { qid: slabs[slab]?.qid, external_ref: external_ref ?? '', ...more }
}

type Result = { errors: Array<{ message: string }>; created: number; failed: number; already_ordered: number }

async function importOrders(rows: readonly object[], key = harness.key): Promise<Result> {
  writeFileSync(join(user.home, 'day.csv'), fulfillmentCsv(rows))
  const env = { CUSTODY_BASE_URL: http.origin, CUSTODY_API_KEY: key }
  const { out, err } = await user.run(['fulfillments', 'import', 'day.csv', '--json'], { env })
  if (out === '') throw new Error(err)
  const { totals, errors } = JSON.parse(out)
  return { ...totals, errors }
}
