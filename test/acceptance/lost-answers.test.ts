import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'

let operator: Operator
let served: Served
let proxy: CuttingProxy
beforeAll(async () => {
  operator = await newOperator('seeded')
  served = await serve(operator, { isOwn: true, at: operator.database })
  proxy = await startCuttingProxy(served.baseUrl)
}, 60_000)
afterAll(async () => {
  await proxy?.close()
  await served?.stop()
  operator?.leave()
})

test('a row that was ordered after it had failed does not fail again when a request is lost on the way', async () => {
  const env = { ...served.env, CUSTODY_DATABASE: '' }
  const to = 'Ann,1 Main St,Reno,NV,89501,US'
  operator.write(
    'orders.csv',
    `sku,quantity,recipient_name,street,city,state,zip,country,external_ref\nSUP-TOP-35,1,${to},L-1\nPKM-PRE-ETB,8,${to},L-2\n`,
  )
  const run = (args: string[]) => operator.run(args, { env })
  const other = ['--sku', 'PKM-PRE-ETB', '--recipient-name', 'Bo', '--street', '1 Main St', '--city', 'Reno']
  other.push('--state', 'NV', '--zip', '89501', '--country', 'US', '--external-ref', 'L-0')
  expect(await run(['fulfillments', 'create', ...other])).toMatchObject({ exitCode: 0 })
  const order = async (baseUrl: string) => {
    const { exitCode, stdout } = await operator.run(['fulfillments', 'import', 'orders.csv', '--json'], {
      env: { ...env, CUSTODY_BASE_URL: baseUrl },
    })
    const { created, failed, already_ordered } = JSON.parse(stdout).totals
    return { exitCode, created, failed, already_ordered }
  }
  expect(await order(served.baseUrl)).toEqual({ exitCode: 9, created: 1, failed: 1, already_ordered: 0 })
  expect(await run(['fulfillments', 'cancel', 'L-0', '--yes'])).toMatchObject({ exitCode: 0 })
  expect(await order(served.baseUrl)).toEqual({ exitCode: 0, created: 1, failed: 0, already_ordered: 1 })
  proxy.cutAt('POST /v1/fulfillments/csv', 'before')
  expect(await order(proxy.url)).toMatchObject({ exitCode: 0, failed: 0 })
  expect(proxy.cuts()).toBe(1)
})

test('an import that stops counts the orders that are done, though more of its rows were to be sent', async () => {
  const own = await newOperator('seeded')
  const limited = await serve(own, { isOwn: true, at: own.database, flags: ['--rate-limit', '1:6'] })
  try {
    const header = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
    const rows = Array.from({ length: 12 }, (_, at) => `SUP-TOP-35,1,Ann,1 Main St,Reno,NV,89501,US,D-${at}`)
    own.write('orders.csv', `${[header, ...rows].join('\n')}\n`)
    const order = ['fulfillments', 'import', 'orders.csv', '--ship-by', 'order', '--max-wait', '1s']
    const { exitCode, stderr } = await own.run(order, limited.overHttp)
    const all = await own.look<Fulfillment[]>(['fulfillments', 'ls', '--all'])
    const there = all.filter(({ external_ref }) => external_ref?.startsWith('D-'))
    expect(there.length).toBeGreaterThan(0)
    expect([exitCode, stderr]).toEqual([
      7,
      expect.stringContaining(`${there.length} of 12 rows are known to be done; run the same command again`),
    ])
  } finally {
    await limited.stop()
    own.leave()
  }
})
