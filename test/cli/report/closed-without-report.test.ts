import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliUser, forAllTests, harnessWith } from '../../support/each.ts'
import { databases, type Harness } from '../../support/harness.ts'
import { type HttpHarness, startHttp } from '../../support/http.ts'

const user = forAllTests(cliUser)
const harness = forAllTests(harnessWith(databases[0]!))
let http: HttpHarness
let isClosed = false
let isMoved = false

/** A service that cannot read a report after its manifest is closed, nor events after the clock has moved. */
beforeAll(async () => {
  const away = JSON.stringify({ code: 'internal_error', message: 'Away for a moment.', extra: {} })
  const service: Harness['service'] = {
    ...harness.service,
    async handle(call) {
      const isAway = { getManifestReport: isClosed, listEvents: isMoved }
      if (isAway[call.operation as keyof typeof isAway]) return { status: 503, headers: {}, body: away }
      isClosed ||= call.operation === 'closeManifest'
      isMoved ||= call.operation === 'advanceClock'
      return harness.service.handle(call)
    },
  }
  http = await startHttp({ ...harness, service })
  for (const reference of ['PO-1', 'PO-2', 'PO-3']) {
    const body = { reference, lines: [{ description: 'A box', quantity: 2 }] }
    await harness.client.submitManifest({ body })
  }
})
afterAll(() => http.close())

test.each([
  ['a pipe', 'PO-1', {}, [], /^$/],
  ['a terminal', 'PO-2', { terminal: 120 }, [], /^$/],
  ['JSON', 'PO-3', {}, ['--json'], /"status": "reconciled"/],
])('a manifest whose report fails is reported as closed, in %s', async (_, reference, io, more, shown) => {
  isClosed = false
  const env = { CUSTODY_BASE_URL: http.origin, CUSTODY_API_KEY: harness.key }
  const args = ['manifests', 'close', reference, '--yes', '--max-wait', '0', ...more]
  const { code, out, err } = await user.run(args, { env, ...io })
  expect([code, err.split('\n').slice(1, 3)]).toEqual([
    0,
    [
      `${reference} is reconciled: 1 of 1 lines missing.`,
      `Cannot read its report: Away for a moment. Try: custody manifests report ${reference}`,
    ],
  ])
  expect(out).toMatch(shown)
})

test('a clock that has moved is reported as moved, although the events since cannot be read', async () => {
  const env = { CUSTODY_BASE_URL: http.origin, CUSTODY_API_KEY: harness.key }
  const args = ['sandbox', 'clock', '--advance', '1d', '--max-wait', '0', '--json']
  const { code, out, err } = await user.run(args, { env })
  expect([code, JSON.parse(out)]).toMatchObject([0, { offset_seconds: 86_400 }])
  expect(err).toContain(
    'The clock has moved. The events since cannot be read: Away for a moment. See: custody events ls',
  )
})
