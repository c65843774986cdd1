import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Manifest, ManifestReport } from '../../src/contract/resources/manifest.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forEachTest(operatorWith())

describe('manifests submit', () => {
  test('submits the good rows of a buy sheet, returns the bad ones with row and reason, and exits 9', async () => {
    const file = operator.fixture('buy-sheets/two-bad-rows.csv')
    const { exitCode, stdout, stderr } = await submit(file, '--source', 'card_show')
    expect(exitCode).toBe(9)
    expect(stdout).toMatch(
      /^reference\tBS-9\nstatus\tsubmitted\nsource\tcard_show\n.*\n.*\ncloses_on\t\nline_count\t10\n/,
    )
    expect(stderr).toContain(
      '2 rows failed:\n  row 5, line 6   cert_number is required with grader.\n  row 9, line 10  sku "PKM-PRE-BDL"',
    )
    expect(stderr).toContain('10 of 12 rows were submitted; the others are in two-bad-rows.csv.errors.csv')
    const errors = operator.read('two-bad-rows.csv.errors.csv').trimEnd().split('\n')
    expect(errors.map((line) => line.split(',')[0])).toEqual([
      '\ufeffexternal_ref',
      'BS-4471-05',
      'BS-4471-09',
    ])
    const again = await submit(file, '--source', 'card_show')
    expect(again.stderr).toContain('nothing was submitted twice. The failed rows are those of that time.')
  })

  test('says what it did not change, if the manifest was submitted before', async () => {
    operator.write('window.csv', 'description\nBox\n')
    operator.write('window.json', '{"lines":[{"description":"Box"}],"expected_arrival_end":"2999-05-11"}')
    const send = (file: string, ...flags: string[]) =>
      operator.run(['manifests', 'submit', file, '--reference', 'PO-W', ...flags])
    await send('window.csv', '--source', 'card_show')
    const until = ['--arrives-by', '2999-05-11']
    for (const [file, flags, unchanged] of [
      ['window.csv', [...until, '--source', 'other'], 'Its source and arrival window were not changed.'],
      ['window.csv', [...until, '--dry-run'], 'Its arrival window was not changed.'],
      ['window.json', [], 'Its arrival window was not changed.'],
    ] as const) {
      const { exitCode, stderr } = await send(file, ...flags)
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`submitted twice. ${unchanged}\n`)])
    }
    expect((await send('window.csv', '--source', 'card_show')).stderr).toMatch(/submitted twice\.\n/)
    const [only, ...others] = await operator.look<Manifest[]>(['manifests', 'ls', '--reference', 'PO-W'])
    expect([only?.expected_arrival_end, others]).toEqual([null, []])
  })

  test('names each row by its number in the file if the service rejects every row that it gets', async () => {
    operator.write('none.csv', 'description,sku,quantity\nSlab,,0\nBox,NO-SUCH,1\n')
    const { exitCode, stdout, stderr } = await submit('none.csv', '--json')
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      6,
      expect.objectContaining({ manifest: null, totals: { created: 0, failed: 2, submitted: 2 } }),
    ])
    expect(stderr).toMatch(/ {2}row 1, line 2 .*\n {2}row 2, line 3 {2}sku "NO-SUCH" is not in the catalog/)
    expect(operator.read('none.csv.errors.csv').trimEnd().split('\n')).toHaveLength(3)
  })

  test('rejects an arrival window that would close the manifest at once, unless it was submitted before', async () => {
    operator.write('past.csv', 'description\nBox\n')
    operator.write('past.json', '{"lines":[{"description":"Box"}],"expected_arrival_end":"2025-05-11"}')
    const send = (file: string, ...flags: string[]) =>
      operator.run(['manifests', 'submit', file, '--reference', 'PO-PAST', ...flags])
    const past = ['--arrives-by', '2025-05-11']
    for (const flags of [['past.csv', ...past], ['past.csv', ...past, '--dry-run'], ['past.json']]) {
      const { exitCode, stderr } = await send(...(flags as [string]))
      expect([exitCode, stderr]).toEqual([
        6,
        expect.stringContaining(
          'The arrival window ended on 2025-05-11, so the manifest would close at once',
        ),
      ])
    }
    expect(await operator.json(['manifests', 'ls', '--reference', 'PO-PAST'])).toEqual([])
    expect((await send('past.csv')).exitCode).toBe(0)
    expect((await send('past.csv', ...past)).exitCode).toBe(0)
    expect((await send('past.csv', ...past, '--again')).exitCode).toBe(6)
  })

  test('rejects an arrival window that is over by the clock of the sandbox', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await operator.here(['sandbox', 'clock', '--advance', '30d'])
    const { exitCode, stderr } = await submit(
      operator.write('a.csv', 'description\nA\n'),
      '--arrives-by',
      today,
    )
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining(`The arrival window ended on ${today}`)])
  })

  test("prints the wire's JSON with every failed row by its number in the file", async () => {
    const { stdout } = await submit(operator.fixture('buy-sheets/two-bad-rows.csv'), '--json')
    const { manifest, created, errors, totals } = JSON.parse(stdout)
    expect(manifest).toMatchObject({ reference: 'BS-9', line_count: 10 })
    expect(created.length).toBe(10)
    expect(errors.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual([
      [5, 'validation_error'],
      [9, 'validation_error'],
    ])
    expect(totals).toEqual({ created: 10, failed: 2, submitted: 12 })
  })

  test('takes descriptions for a sheet of SKUs from the catalog, and names SKUs that it lacks', async () => {
    const rows = ['SKU;Menge', 'PKM-PRE-ETB;3', 'PKM-NONE;2', ';4', 'PKM-NONE;x']
    const file = operator.write('skus.csv', rows.join('\n'))
    const offline = await submit(file, '--offline')
    expect([offline.exitCode, offline.stderr]).toEqual([
      6,
      expect.stringContaining(
        'skus.csv: 3 rows have a SKU and no description, and with --offline the catalog is not asked. Leave out',
      ),
    ])
    const dry = await submit(file, '--dry-run', '--output', 'csv')
    const name = 'Pokémon Prismatic Evolutions Elite Trainer Box'
    expect([dry.exitCode, dry.stdout]).toEqual([9, `description,sku,quantity\n${name},PKM-PRE-ETB,3\n`])
    const unknown = 'SKU "PKM-NONE" is not in the catalog: create the product first, or correct the SKU'
    const faults = [
      `  row 2, line 3  ${unknown}.`,
      '  row 3, line 4  description is required.',
      `  row 4, line 5  ${unknown}; Menge "x" must be a whole number of 1 or more.`,
    ]
    expect(dry.stderr).toContain(
      `Took 1 description from the catalog.\n3 rows failed:\n${faults.join('\n')}\n`,
    )
    const { exitCode, stdout } = await submit(file, '--json')
    const { created, totals } = JSON.parse(stdout)
    expect([exitCode, totals]).toEqual([9, { created: 1, failed: 3, submitted: 4 }])
    expect(created).toMatchObject([{ description: name, sku: 'PKM-PRE-ETB', quantity: 3 }])
    const mixed = operator.write(
      'mixed.csv',
      `description,sku,quantity\n,PKM-PRE-ETB,1\nMine,PKM-PRE-ETB,2\n${'x'.repeat(501)},PKM-PRE-ETB,3\n`,
    )
    const both = JSON.parse((await submit(mixed, '--json', '--again')).stdout).created
    expect(both.map(({ description }: { description: string }) => description)).toEqual([name, 'Mine'])
  })

  test('holds back rows that a spreadsheet damaged; --no-lint sends what the service accepts', async () => {
    const file = operator.fixture('buy-sheets/excel-damaged.csv')
    const { stderr, stdout } = await submit(file, '--json')
    expect(JSON.parse(stdout).totals).toEqual({ created: 7, failed: 9, submitted: 16 })
    for (const line of [
      'row 2, line 3    cert_number "1.2E+08" looks damaged by a spreadsheet: format the column as text.\n',
      'row 5, line 6  cert_number "10059708" has 8 digits, and certificates of BGS have 10 digits: it is compared as BGS 0010059708\n',
      'row 9, line 10   cert_number "="0017886247"" is a formula: write 0017886247.',
      `row 10, line 11  cert_number "'6045815667" begins with an apostrophe: write 6045815667.`,
      'row 16, line 18  cert_number "#N/A" is a spreadsheet error, not a value.',
    ]) {
      expect(stderr).toContain(line)
    }
    const all = await submit(file, '--json', '--no-lint', '--again')
    expect(JSON.parse(all.stdout).totals).toEqual({ created: 10, failed: 6, submitted: 16 })
  })

  test('sends rows as JSON, all or nothing, with an arrival window, and says so', async () => {
    const clean = await submit(
      operator.fixture('buy-sheets/clean.csv'),
      '--arrives-from',
      '2999-01-01',
      '--arrives-by',
      '2999-01-09',
    )
    expect(clean.exitCode).toBe(0)
    expect(clean.stderr).toContain(
      'With an arrival window the rows are submitted as JSON: all of them or none.',
    )
    expect(clean.stdout).toContain(
      'expected_arrival_start\t2999-01-01\nexpected_arrival_end\t2999-01-09\ncloses_on\t2999-01-17\nline_count\t40\n',
    )
    const file = operator.fixture('buy-sheets/two-bad-rows.csv')
    const before = await operator.json(['manifests', 'ls'])
    const bad = await submit(file, '--arrives-by', '2999-01-09')
    expect([bad.exitCode, bad.stdout]).toEqual([6, ''])
    expect(bad.stderr).toMatch(
      /row 5, line 6 +cert_number is required with grader\.\n +row 9, line 10 +sku "/,
    )
    expect(bad.stderr).toContain(
      'Nothing was submitted, because with an arrival window all rows are sent or none.',
    )
    expect(await operator.json(['manifests', 'ls'])).toEqual(before)
    const corrected = operator.read(file).split('\n').toSpliced(5, 1).join('\n')
    operator.write('one-bad.csv', corrected)
    const unasked = await submit('one-bad.csv', '--arrives-by', '2999-01-09', '--offline')
    expect([unasked.exitCode, unasked.stderr]).toEqual([
      6,
      expect.stringMatching(/row 8, line 9 sku +is not in the cat/),
    ])
  })

  test('sends a JSON file unchanged, and flags override it', async () => {
    const body = { reference: 'J-1', lines: [{ description: 'A card', quantity: 2 }] }
    const file = operator.write('po.json', JSON.stringify(body))
    const { exitCode, stdout } = await operator.run(['manifests', 'submit', file, '--reference', 'J-2'])
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'reference\tJ-2'])
    const wrong = operator.write('wrong.json', JSON.stringify({ ...body, lines: [{}] }))
    for (const args of [['--dry-run'], []]) {
      const rejected = await operator.run(['manifests', 'submit', wrong, ...args])
      expect(rejected.exitCode).toBe(6)
      expect(rejected.stderr).toMatch(/lines/)
    }
    const marked = operator.write('marked.json', `\ufeff${JSON.stringify({ ...body, reference: 'J-3' })}`)
    expect((await operator.run(['manifests', 'submit', marked])).exitCode).toBe(0)
  })

  test.each([
    ['cut off', '{"a":', 'broken.json is not valid JSON'],
    ['Windows-1252', Buffer.from('{"source":"Pok\u00e9mon"}', 'latin1'), 'broken.json is not UTF-8. Save it'],
    [
      'a repeated name',
      '{"lines":[{"description":"A","sku":"B","sk\\u0075":"C"}]}',
      /has the same name twice in one object.*\n {2}lines\[0\]\.sku +is given twice/,
    ],
    [
      '200,000 levels',
      `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      'broken.json must not nest more than 32 levels.',
    ],
  ])('rejects a JSON file that is damaged or ambiguous: %s', async (_, content, message) => {
    const file = operator.write('broken.json', content)
    const { exitCode, stderr } = await operator.run(['manifests', 'submit', file, '--reference', 'J-1'])
    expect([exitCode, stderr]).toEqual([6, expect.stringMatching(message)])
    expect(await operator.json(['manifests', 'ls', '--reference', 'J-1'])).toEqual([])
  })

  test('exits 2 without a reference and a terminal, and names the flag', async () => {
    const sheet = operator.fixture('buy-sheets/clean.csv')
    const { exitCode, stderr } = await operator.run(['manifests', 'submit', sheet])
    expect([exitCode, stderr]).toEqual([
      2,
      'custody manifests submit: --reference is required. See: custody manifests submit --help\n',
    ])
  })

  test('submits a corrected errors file once, under the reference advised each time the first file is sent', async () => {
    const file = operator.fixture('buy-sheets/two-bad-rows.csv')
    const advice = 'as a manifest of its own, with --reference BS-9-2:'
    expect((await submit(file)).stderr).toContain(advice)
    const errors = operator.read('two-bad-rows.csv.errors.csv')
    operator.write(
      'fixed.csv',
      errors.replace(',SGC,,', ',SGC,48201935,').replace('PKM-PRE-BDL', 'PKM-PRE-ETB'),
    )
    const args = ['manifests', 'submit', 'fixed.csv', '--reference', 'BS-9-2']
    const { exitCode, stdout } = await operator.run(args)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('line_count\t2\n')])
    expect((await submit(file)).stderr).toContain(advice)
    expect(await operator.run(args)).toMatchObject({ exitCode: 0, stdout })
    expect(existsSync(operator.path('fixed.csv.errors.csv'))).toBe(false)
  })

  function submit(file: string, ...args: string[]) {
    return operator.run(['manifests', 'submit', file, '--reference', 'BS-9', ...args])
  }
})

describe('manifests submit --dry-run', () => {
  test('exits 2 for an invalid window and names the flag', async () => {
    const file = operator.fixture('buy-sheets/clean.csv')
    const flags = ['--reference', 'P', '--dry-run', '--arrives-by', '2026-13-01']
    const { exitCode, stderr } = await operator.run(['manifests', 'submit', file, ...flags])
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('--arrives-by: "2026-13-01" is not a date.'),
    ])
  })

  test('finds damaged codes, unknown fields, and a window that ends before it starts in JSON', async () => {
    const slab = { description: 'A', grader: 'PSA', cert_number: '1.2E+08' }
    const lines = [{ ...slab, description: '#REF!' }, slab]
    const damaged = operator.write('a.json', JSON.stringify({ reference: 'J', lines }))
    for (const flags of [['--dry-run'], []]) {
      const { exitCode, stderr } = await operator.run(['manifests', 'submit', damaged, ...flags])
      expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/lines\[1\]\.cert_number +"1\.2E\+08"/)])
      expect(stderr).toMatch(/lines\[0\]\.description +"#REF!" is a spreadsheet error/)
    }
    expect((await operator.run(['manifests', 'submit', damaged, '--no-lint', '--dry-run'])).exitCode).toBe(0)
    const unknown = { reference: 'J', sourse: 'other', lines: [{ ...slab, cert: 1 }] }
    const { stderr } = await operator.run([
      'manifests',
      'submit',
      operator.write('b.json', JSON.stringify(unknown)),
      '--dry-run',
    ])
    expect(stderr).toMatch(/sourse +is not known; did you mean source\?/)
    expect(stderr).toMatch(/lines\[0\]\.cert +is not known/)
    const window = { expected_arrival_start: '2026-05-04', expected_arrival_end: '2026-05-03' }
    const late = JSON.stringify({ reference: 'J', lines: [{ description: 'A' }], ...window })
    const rejected = await operator.run(['manifests', 'submit', operator.write('c.json', late), '--dry-run'])
    expect([rejected.exitCode, rejected.stderr]).toEqual([
      6,
      expect.stringContaining('must not be before expected_arrival_start'),
    ])
  })
})

describe('manifests close', () => {
  test('closes nothing with --preview, rejects with --max-missing, and closes with --yes', async () => {
    const preview = await operator.run(['manifests', 'close', 'PO-1042', '--preview', '--json'])
    expect((JSON.parse(preview.stdout) as ManifestReport).totals).toMatchObject({ expected: 95, missing: 10 })
    const rejected = await operator.run(['manifests', 'close', 'PO-1042', '--max-missing', '9', '--yes'])
    expect(rejected.exitCode).toBe(5)
    expect(rejected.stderr).toContain('10 units would be missing, more than --max-missing 9')
    const closed = await operator.run([
      'manifests',
      'close',
      'PO-1042',
      '--max-missing',
      '10',
      '--yes',
      '--json',
    ])
    expect(closed.exitCode).toBe(0)
    expect(JSON.parse(closed.stdout)).toMatchObject({ status: 'reconciled', reference: 'PO-1042' })
    expect(closed.stderr).toContain(
      'PO-1042 is reconciled: 85 matched, 10 missing, 0 with a condition mismatch, 0 unexpected.',
    )
    const again = await operator.run(['manifests', 'close', 'PO-1042', '--yes'])
    expect([again.exitCode, again.stderr]).toEqual([5, expect.stringContaining('already closed')])
  })

  test('reports a short delivery as n of m', async () => {
    const short = await operator.run(['sandbox', 'receive', 'PO-1042', '--outcome', 'short'])
    expect(short.stderr).toMatch(/\n9 of 10 expected items arrived: 9 as expected\n$/)
    const lines = [{ description: 'Holders', sku: 'SUP-OT-35', quantity: 2000 }]
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-2', lines }) })
    const many = await operator.run(['sandbox', 'receive', 'PO-2', '--outcome', 'short'])
    expect(many.stderr).toMatch(/\n1,999 of 2,000 expected items arrived: 1,999 as expected\n$/)
  })

  test('reports damaged and unexpected units too, as receive does at its end', async () => {
    const damaged = await operator.run(['sandbox', 'receive', 'PO-1042', '--outcome', 'damaged'])
    expect(damaged.stderr).toMatch(/\n10 items arrived: 9 as expected, 1 with a condition flag\n$/)
    await operator.run(['sandbox', 'intake', '--manifest', 'PO-1042', '--sku', 'SUP-OT-35'])
    const { exitCode, stderr } = await operator.run(['manifests', 'close', 'PO-1042'])
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        'has arrived, 1 unit arrived with a condition mismatch, 1 unit arrived unexpectedly.',
      ),
    ])
  })
})

describe('manifests show and report', () => {
  test('accept a reference or an id, and exit 4 for an unknown one', async () => {
    const { id } = await operator.json<Manifest>(['manifests', 'show', 'PO-1041'])
    expect((await operator.json<Manifest>(['manifests', 'show', id])).reference).toBe('PO-1041')
    const { exitCode, stderr } = await operator.run(['manifests', 'show', 'PO-9999'])
    expect([exitCode, stderr]).toEqual([
      4,
      'custody manifests show: There is no manifest with the id or reference "PO-9999". See: custody manifests ls\n',
    ])
  })

  test("write the report's lines as CSV to a file", async () => {
    const { exitCode, stdout, stderr } = await operator.run([
      'manifests',
      'report',
      'PO-1041',
      '--csv',
      'report.csv',
    ])
    expect([exitCode, stdout, stderr]).toEqual([
      0,
      '',
      'Wrote 35 lines and 1 unexpected item to report.csv\n',
    ])
    const lines = operator.read('report.csv').trimEnd().split('\n')
    expect(lines[0]).toBe(
      'external_ref,status,quantity,received_quantity,difference,match_score,description,grader,cert_number,sku,condition_flags,flagged_units,match_key,matched_qids',
    )
    expect(lines.filter((line) => line.includes(',missing,')).length).toBe(1)
    expect(
      lines.filter((line) => line.includes(',condition_mismatch,') && line.includes('cracked_case')).length,
    ).toBe(1)
  })

  test.each([
    ['report', 'PO-1041'],
    ['close', 'PO-1041', '--preview'],
  ])('say in manifests %s %s which rows are unexpected items', async (...args) => {
    const { exitCode, stdout, stderr } = await operator.run(['manifests', ...args, '--output', 'csv'])
    expect([exitCode, stderr]).toEqual([0, '35 lines and 1 unexpected item, in this order\n'])
    expect(stdout.trimEnd().split('\n').slice(35)).toEqual([
      expect.any(String),
      expect.stringMatching(/^,unexpected,0,1,1,/),
    ])
    const summary = ['--output', 'csv', '--summary-columns', 'reference']
    const chosen = await operator.run(['manifests', ...args, ...summary])
    expect([chosen.stdout, chosen.stderr]).toEqual(['reference\nPO-1041\n', ''])
  })

  test('call a report provisional before the close', async () => {
    const { stderr } = await operator.run(['manifests', 'report', 'PO-1042', '--json'])
    expect(stderr).toBe('Provisional: the manifest is not closed yet.\n')
  })
})
