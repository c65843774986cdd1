import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { createService } from '../../src/service/service.ts'
import type { Database } from '../../src/store/database.ts'
import { clientWith, databases, startHarness } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'

const header = 'description,quantity\n'

test('a file is read before the scope is claimed, so a rejected one begins no write (decisions 12)', async () => {
  const harness = await startHarness(databases[0]!)
  const { sources, key } = harness
  let writes = 0
  const write: Database['write'] = (fn, how) => {
    writes += 1
    return harness.db.write(fn, how)
  }
  const db = { ...harness.db, write }
  const service = createService({ db, environment: 'sandbox', sources, settings: defaultSettings })
  const client = clientWith(service, key, sources)
  const submit = (text: string) =>
    outcomeOf(client.submitManifestCsv({ form: { reference: 'PO-1', file: Buffer.from(text) } }))
  const whole = `${header}${'Box,1\n'.repeat(20_000)}`
  for (const [text, fault] of [
    [`${whole}"Box`, /^has an unterminated quote/],
    [`${whole}${'\n'.repeat(30_001)}`, /^has more than 50,000 rows and blank lines together/],
    [`${'\n'.repeat(50_001)}${header}`, /^has more than 50,000 rows and blank lines together/],
  ] as const) {
    const { status, extra } = await submit(text)
    expect({ status, extra }).toEqual({
      status: 400,
      extra: { fields: { file: [expect.stringMatching(fault)] } },
    })
  }
  expect(writes).toBe(0)
  expect([(await submit(whole)).status, writes]).toEqual([201, 1])
  await harness.close()
})
