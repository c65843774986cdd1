import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { IntakeEvent, InventoryLevel } from '../../src/contract/resources/item.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

const absent = '01a221ad-03be-7007-8000-74135399c02f'

describe('an error says what to do', () => {
  test.each<[string[], number, string]>([
    [
      ['warehouse', 'ship', 'WEB-20391'],
      5,
      'cannot become shipped. Next: custody warehouse pick WEB-20391\n',
    ],
    [
      ['webhooks', 'create', 'http://localhost:3000/hook'],
      6,
      'https://. On this machine: custody events tail --follow --forward-to http://localhost:3000/hook\n',
    ],
    [
      ['items', 'show', 'Q-7F3K-9M2P-X4TB'],
      4,
      'No such resource. "Q-7F3K-9M2P-X4TB" is not a QID: a character is wrong or missing.\n',
    ],
    [
      ['fulfillments', 'show', absent],
      4,
      `No such resource. Check the identifier ${absent}, and that it belongs to this target.\n`,
    ],
    [
      ['sandbox', 'receive', absent],
      4,
      `No such resource. Check the identifier ${absent}, and that the target is a sandbox.\n`,
    ],
    [['sandbox', 'advance', 'q-7f3k-9m2p', '--to', 'available'], 4, '"q-7f3k-9m2p" is not a QID'],
    [['sandbox', 'advance', 'WEB-1', '--to', 'available'], 4, '"WEB-1" is not a QID'],
    [['manifests', 'import', 'po.csv'], 2, "unknown command 'import'. Did you mean submit?\n"],
  ])('%j exits %i with %j', async (args, code, hint) => {
    const { exitCode, stderr } = await operator.run(args)
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(hint)])
  })

  test('a key file that others can read is rejected with the fix', async () => {
    const env = {
      CUSTODY_DATABASE: '',
      CUSTODY_BASE_URL: 'http://127.0.0.1:9',
      CUSTODY_API_KEY_FILE: 'key.txt',
    }
    chmodSync(operator.path(operator.write('key.txt', 'sk_sandbox_none\n')), 0o644)
    const { exitCode, stderr } = await operator.run(['items', 'ls'], { env })
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(
        /key\.txt contains an API key, and other users can read .* chmod 600 .*key\.txt\n$/,
      ),
    ])
  })
})

test('a generated secret stays the same for one address and differs for another', async () => {
  const secretFor = async (url: string): Promise<string | undefined> => {
    const args = [
      'events',
      'tail',
      '--limit',
      '1',
      '--on-failure',
      'skip',
      '--print-secret',
      '--forward-to',
      url,
    ]
    return /whsec_\S+/.exec((await operator.run(args)).stderr)?.[0]
  }
  const first = await secretFor('http://127.0.0.1:9/a')
  expect(first).toMatch(/^whsec_/)
  expect(await secretFor('http://127.0.0.1:9/a')).toBe(first)
  expect(await secretFor('http://127.0.0.1:9/b')).not.toBe(first)
})

test('inventory ls --sku matches part of a SKU in any case, as items ls does', async () => {
  const skus = async (...args: string[]): Promise<string[]> =>
    (await operator.json<InventoryLevel[]>(['inventory', 'ls', ...args])).map(({ sku }) => sku)
  const all = await skus('--all')
  expect(await skus('--sku', 'bb36')).toEqual(all.filter((sku) => sku.includes('BB36')))
  expect(await skus('--sku', 'bb36', '--limit', '1')).toHaveLength(1)
})

test('the sample data receive no sealed box as a slab', async () => {
  const { intakes } = { intakes: await operator.json<IntakeEvent[]>(['sandbox', 'receive', 'BS-2031']) }
  const slabs = intakes.filter(({ item }) => item.type === 'graded_slab').map(({ item }) => item.name)
  expect(slabs.length).toBeGreaterThan(0)
  expect(slabs.filter((name) => /box|pack/i.test(name))).toEqual([])
})

test('flags of one arrival are rejected together with a file', async () => {
  operator.write('arrivals.json', '{"items":[{"type":"product","sku":"PKM-SSP-BB36"}]}')
  const { exitCode, stderr } = await operator.run(['sandbox', 'intake', 'arrivals.json', '--quantity', '3'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--quantity cannot be used with a file.')])
})
