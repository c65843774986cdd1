import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import type { Product } from '../../src/contract/resources/product.ts'
import { newOperator, type Operator, root } from '../support/operator.ts'
import { serve } from '../support/served.ts'

let operator: Operator

beforeEach(async () => {
  operator = await newOperator()
})
afterEach(() => operator.leave())

describe('fulfillments import --dry-run', () => {
  test("predicts the import's result for each row across the whole file; --offline checks the file alone", async () => {
    const [slab] = await operator.json<Item[]>(['items', 'ls', '--status', 'available', '--limit', '1'])
    const [level] = (
      await operator.json<Array<{ sku: string; available: number }>>(['inventory', 'ls'])
    ).filter(({ available }) => available > 1)
    const { sku = '', available = 0 } = level ?? {}
    const address = 'Ann,1 Main St,Austin,TX,73301,US'
    operator.write(
      'orders.csv',
      [
        'sku,quantity,qid,recipient_name,street,city,state,zip,country,external_ref',
        `NO-SUCH-SKU,1,,${address},T-1`,
        `${sku},${available},,${address},T-2`,
        `${sku},1,,${address},T-3`,
        `,,${slab?.qid},${address},T-4`,
        `,,${slab?.qid},${address},T-5`,
        `NO-SUCH-SKU,1,,${address.replace('TX', 'CA')},T-6`,
        `${sku},1,,${address.replace('TX', 'CA')},T-7`,
        '',
      ].join('\n'),
    )
    const told = (text: string) => text.split('\n').filter((line) => /^ {2}row \d/.test(line))
    const dry = await operator.run(['fulfillments', 'import', 'orders.csv', '--dry-run'])
    const offline = await operator.run(['fulfillments', 'import', 'orders.csv', '--dry-run', '--offline'])
    expect([offline.exitCode, told(offline.stderr).length]).toEqual([0, 2])
    const real = await operator.run(['fulfillments', 'import', 'orders.csv'])
    expect(told(dry.stderr)).toEqual(told(real.stderr))
    expect(told(dry.stderr).length).toBeGreaterThanOrEqual(5)
    expect(told(dry.stderr).join('\n')).toContain('zip "73301" is in OK or TX, and the state is CA')
    expect([dry.exitCode, real.exitCode]).toEqual([9, 9])
    const again = await operator.run(['fulfillments', 'import', 'orders.csv', '--dry-run'])
    expect(again.stderr).toMatch(/\d rows were ordered before\./)
  })
})

describe('manifests submit', () => {
  test('names slabs that are in custody or expected, as the target says, and rejects them with --strict', async () => {
    const held = (await operator.json<Item[]>(['items', 'ls', '--limit', '200'])).find(
      (item) => item.cert_number,
    )
    const rows = [`Held,${held?.grader},${held?.cert_number}`, 'New,PSA,71234599']
    operator.write('buy.csv', ['description,grader,cert_number', ...rows, ''].join('\n'))
    const named = `row 1, line 2  cert_number "${held?.cert_number}" is already in custody: ${held?.qid}`
    const dry = await operator.run(['manifests', 'submit', 'buy.csv', '--dry-run'])
    expect([dry.exitCode, dry.stderr]).toEqual([0, expect.stringContaining(named)])
    const offline = await operator.run(['manifests', 'submit', 'buy.csv', '--dry-run', '--offline'])
    expect(offline.stderr).not.toContain('in custody')
    const submit = ['manifests', 'submit', 'buy.csv', '--reference', 'TWICE-1']
    const strict = await operator.run([...submit, '--strict'])
    expect([strict.exitCode, strict.stderr]).toEqual([6, expect.stringContaining(named)])
    expect((await operator.run(submit)).exitCode).toBe(0)
    const other = await operator.run(['manifests', 'submit', 'buy.csv', '--reference', 'TWICE-2', '--strict'])
    expect([other.exitCode, other.stderr]).toEqual([
      6,
      expect.stringContaining(
        'row 2, line 3  cert_number "71234599" is on the open manifest TWICE-1 already',
      ),
    ])
    const same = await operator.run([...submit, '--strict'])
    expect(same.stderr).not.toContain('in custody')
    expect((await operator.json<Product[]>(['manifests', 'ls', '--reference', 'TWICE-2'])).length).toBe(0)
  })

  test('asks in a terminal about slabs that are in custody; no submits nothing, yes submits', async () => {
    const held = (await operator.json<Item[]>(['items', 'ls', '--grader', 'PSA', '--limit', '1']))[0]
    operator.write('buy.csv', `description,grader,cert_number\nHeld,P.S.A.,${held?.cert_number}\n`)
    const submit = ['manifests', 'submit', 'buy.csv', '--reference', 'ASKED-1']
    const preload = `--require "${root}/test/support/pretend-terminal.cjs"`
    const env = { TERM: 'xterm-256color', NODE_OPTIONS: preload, COLUMNS: '200' }
    const no = await operator.run(submit, { input: '\n', env })
    expect([no.exitCode, no.stderr]).toEqual([
      130,
      expect.stringMatching(
        /is already in custody: Q-[\s\S]*1 row names a slab that custody has or expects already\./,
      ),
    ])
    expect(await operator.json(['manifests', 'ls', '--reference', 'ASKED-1'])).toEqual([])
    const yes = await operator.run(submit, { input: 'y\n', env })
    expect([yes.exitCode, yes.stderr]).toEqual([0, expect.stringContaining('Submit them anyway?')])
    expect(await operator.json(['manifests', 'ls', '--reference', 'ASKED-1'])).toHaveLength(1)
  })

  test('checks 5,000 rows against 20,000 items and 40 manifests over HTTP in at most 30 requests, and in none with --offline', async () => {
    const rows = (first: number, length: number) =>
      Array.from({ length }, (_, at) => `Slab ${at},PSA,${first + at}\n`).join('')
    operator.write('held.csv', `description,grader,cert_number\n${rows(80_000_000, 20_000)}`)
    await operator.run(['manifests', 'submit', 'held.csv', '--reference', 'PO-20000'])
    await operator.run(['sandbox', 'receive', 'PO-20000'])
    operator.write('many.csv', `description,grader,cert_number\n${rows(80_019_999, 5000)}`)
    for (let at = 0; at < 40; at++) {
      operator.write('open.csv', `description,grader,cert_number\nOpen,PSA,${80_020_001 + at}\n`)
      await operator.run(['manifests', 'submit', 'open.csv', '--offline', '--reference', `OPEN-${at}`])
    }
    const served = await serve(operator, { isOwn: true, flags: ['--rate-limit', 'off'] })
    try {
      const overHttp = { env: { ...served.env, CUSTODY_DATABASE: '' } }
      const args = ['manifests', 'submit', 'many.csv', '--dry-run', '--debug']
      const asked = await operator.run(args, overHttp)
      expect(asked.stderr).toMatch(/row 1, line 2 +cert_number "80019999" is already in custody: Q-/)
      expect(asked.stderr.match(/is on the open manifest OPEN-\d+ already/g)).toHaveLength(40)
      const requests = asked.stderr.match(/^> GET /gm)?.length
      expect(requests).toBeGreaterThan(0)
      expect(requests).toBeLessThanOrEqual(30)
      expect((await operator.run([...args, '--offline'], overHttp)).stderr).not.toMatch(/^> /m)
    } finally {
      await served.stop()
    }
  })
})
