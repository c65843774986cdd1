import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliUser, forAllTests, harnessWith } from '../../support/each.ts'
import { databases, type Harness } from '../../support/harness.ts'
import { type HttpHarness, startHttp } from '../../support/http.ts'

const address = 'https://hooks.custody.example/in'
const user = forAllTests(cliUser)
const harness = forAllTests(harnessWith(databases[0]!))
let http: HttpHarness
let stop = new AbortController()
let isStopping = false

/** A service whose subscription is deleted, or whose operator gives up, after the sample is queued. */
beforeAll(async () => {
  const gone = JSON.stringify({ code: 'not_found', message: 'No such resource.', extra: {} })
  const service: Harness['service'] = {
    ...harness.service,
    async handle(call) {
      if (call.operation !== 'listDeliveries') return harness.service.handle(call)
      if (isStopping) stop.abort()
      return { status: 404, headers: {}, body: gone }
    },
  }
  http = await startHttp({ ...harness, service })
  await harness.client.createSubscription({ body: { url: address, event_types: ['transfer.completed'] } })
})
afterAll(() => http.close())

test.each([
  ['the webhook was deleted', false, 9, ': No such resource.'],
  ['the command is interrupted', true, 130, '.'],
])('a sample whose attempt is unknown, as %s, is reported as queued', async (_, isStopped, ending, why) => {
  isStopping = isStopped
  stop = new AbortController()
  const env = { CUSTODY_BASE_URL: http.origin, CUSTODY_API_KEY: harness.key }
  const args = ['webhooks', 'test', address, '--wait', '20s', '--json']
  const { code, out, err } = await user.run(args, { env, stop: stop.signal })
  expect([code, err.split('\n')[1]]).toEqual([
    ending,
    `The sample is queued. The outcome of its attempt is not known${why} See: custody webhooks deliveries ${address}`,
  ])
  expect(out === '' ? undefined : JSON.parse(out).status).toBe(isStopped ? undefined : 'pending')
})
