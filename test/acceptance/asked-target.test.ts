import { describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import type { Product } from '../../src/contract/resources/product.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'
import { serve } from '../support/served.ts'

const operator = forEachTest(operatorWith())

describe('fulfillments import --dry-run', () => {
  test("predicts the import's result for each row across the whole file; --offline checks the file alone", async () => {
    const [slab] = await operator.look<Item[]>(['items', 'ls', '--status', 'available', '--limit', '1'])
    const [level] = (
      await operator.look<Array<{ sku: string; available: number }>>(['inventory', 'ls'])
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
    const told = (text: string) => text.split('\n').filter((line) => /^ {2}rows? \d/.test(line))
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
    const held = (await operator.look<Item[]>(['items', 'ls', '--limit', '200'])).find(
      (item) => item.cert_number,
    )
    const rows = [`Held,${held?.grader},${held?.cert_number}`, 'New,PSA,71234599', 'Odd,Raw,55667788']
    operator.write('buy.csv', ['description,grader,cert_number', ...rows, ''].join('\n'))
    const named = `row 1, line 2  cert_number "${held?.cert_number}" is already in custody: ${held?.qid}`
    const dry = await operator.run(['manifests', 'submit', 'buy.csv', '--dry-run'])
    expect([dry.exitCode, dry.stderr]).toEqual([
      0,
      expect.stringMatching(/row 1, .*already in[\s\S]*row 3, .*Raw/),
    ])
    expect(dry.stderr).toContain(named)
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
    expect((await operator.look<Product[]>(['manifests', 'ls', '--reference', 'TWICE-2'])).length).toBe(0)
  })

  test('says in a dry run what a submission under a used reference would say', async () => {
    operator.write('one.csv', 'description,grader,cert_number\nA,PSA,71234501\n')
    operator.write('two.csv', 'description,grader,cert_number\nB,PSA,71234502\n')
    const submit = (file: string, ...more: string[]) =>
      operator.run(['manifests', 'submit', file, '--reference', 'USED-1', ...more])
    expect((await submit('one.csv')).exitCode).toBe(0)
    const dry = await submit('two.csv', '--dry-run')
    const real = await submit('two.csv')
    expect([dry.exitCode, real.exitCode]).toEqual([5, 5])
    const told = real.stderr
      .split('\n')
      .find((line) => line.includes('has the reference USED-1 and other lines'))
    expect(told).toContain('as USED-1-2')
    expect(dry.stderr.split('\n')).toContain(told)
    const again = await submit('two.csv', '--dry-run', '--again')
    expect([again.exitCode, again.stderr]).toEqual([0, expect.not.stringContaining('USED-1')])
    const same = await submit('one.csv', '--dry-run')
    expect([same.exitCode, same.stderr]).toEqual([0, expect.stringContaining('USED-1 was submitted before')])
    operator.write('two.json', '{"reference":"USED-1","lines":[{"description":"B"}]}')
    expect((await operator.run(['manifests', 'submit', 'two.json', '--dry-run'])).exitCode).toBe(5)
  })

  test('checks the lines of a JSON body: in custody, expected, or twice; --strict rejects them', async () => {
    operator.write('one.csv', 'description,grader,cert_number\nA,PSA,71234501\n')
    await operator.run(['manifests', 'submit', 'one.csv', '--reference', 'FIRST'])
    const line = { description: 'A', grader: 'PSA', cert_number: '71234501' }
    const lines = [line, { ...line, grader: 'P.S.A.', cert_number: '7123-4501' }, { description: 'PSA 9.7' }]
    operator.write('body.json', JSON.stringify({ reference: 'SECOND', lines }))
    const submit = ['manifests', 'submit', 'body.json']
    const named = [
      'lines[0]  cert_number "71234501" is on the open manifest FIRST already',
      'lines[1]  cert_number "7123-4501" of P.S.A. is already in lines[0]',
      'lines[2]  description "PSA 9.7" does not name a grade that PSA gives',
    ]
    for (const [args, exitCode] of [
      [['--dry-run'], 0],
      [['--dry-run', '--strict'], 6],
      [['--strict'], 6],
    ] as const) {
      const ran = await operator.run([...submit, ...args])
      expect([ran.exitCode, ...named.map((text) => ran.stderr.includes(text))]).toEqual([
        exitCode,
        true,
        true,
        true,
      ])
    }
    expect(await operator.json(['manifests', 'ls', '--reference', 'SECOND'])).toEqual([])
    const sent = await operator.run(submit)
    expect([sent.exitCode, sent.stderr]).toEqual([0, expect.stringContaining(named[0]!)])
  })

  test('shows every fault with --strict, including warnings when another row fails', async () => {
    const [held] = await operator.look<Item[]>(['items', 'ls', '--grader', 'PSA', '--limit', '1'])
    const rows = [`Held,PSA,${held?.cert_number}`, 'Wrong,SGC,ABC1234', 'Short,PSA,123']
    operator.write('mixed.csv', ['description,grader,cert_number', ...rows, ''].join('\n'))
    const ran = await operator.run(['manifests', 'submit', 'mixed.csv', '--reference', 'MIXED', '--strict'])
    const faults = [
      /row 1, .* is already in custody/,
      /row 2, .* is not a certificate of SGC/,
      /row 3, .* has 3 digits/,
    ]
    expect([ran.exitCode, ...faults.map((fault) => fault.test(ran.stderr))]).toEqual([6, true, true, true])
  })

  test('asks in a terminal about slabs that are in custody; no submits nothing, yes submits', async () => {
    const held = (await operator.look<Item[]>(['items', 'ls', '--grader', 'PSA', '--limit', '1']))[0]
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
    expect(yes.stderr.match(/is already in custody/g)).toHaveLength(1)
    expect(await operator.json(['manifests', 'ls', '--reference', 'ASKED-1'])).toHaveLength(1)
  })

  test('checks 1,000 rows against 2,000 items and 40 manifests over HTTP in 2 requests, even if slabs left, and in none with --offline', async () => {
    const rows = (first: number, length: number) =>
      Array.from({ length }, (_, at) => `Slab ${at},PSA,${first + at}\n`).join('')
    operator.write('held.csv', `description,grader,cert_number\n${rows(80_000_000, 2000)}`)
    await operator.here(['manifests', 'submit', 'held.csv', '--reference', 'PO-2000'])
    await operator.here(['sandbox', 'receive', 'PO-2000'])
    const left = await operator.look<Item[]>(['items', 'ls', '--status', 'delivered,released'])
    expect(new Set(left.map(({ status }) => status)).size).toBe(2)
    const gone = left.map(({ grader, cert_number }) => `Gone,${grader},${cert_number}\n`).join('')
    const many = `description,grader,cert_number\n${rows(80_001_999, 1000 - left.length)}${gone}`
    operator.write('many.csv', many)
    for (let at = 0; at < 40; at++) {
      operator.write('open.csv', `description,grader,cert_number\nOpen,PSA,${80_002_001 + at}\n`)
      await operator.here(['manifests', 'submit', 'open.csv', '--offline', '--reference', `OPEN-${at}`])
    }
    const served = await serve(operator, { isOwn: true, flags: ['--rate-limit', 'off'] })
    try {
      const overHttp = { env: { ...served.env, CUSTODY_DATABASE: '' } }
      const args = ['manifests', 'submit', 'many.csv', '--dry-run', '--debug']
      const asked = await operator.run(args, overHttp)
      expect(asked.stderr).toMatch(/row 1, line 2 +cert_number "80001999" is already in custody: Q-/)
      expect(asked.stderr.match(/is on the open manifest OPEN-\d+ already/g)).toHaveLength(40)
      expect(asked.stderr.match(/is already in custody/g)).toHaveLength(1)
      expect(asked.stderr.match(/^> GET /gm)).toHaveLength(2)
      expect((await operator.run([...args, '--offline'], overHttp)).stderr).not.toMatch(/^> /m)
    } finally {
      await served.stop()
    }
  })
})
