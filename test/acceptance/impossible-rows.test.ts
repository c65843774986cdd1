import { beforeAll, describe, expect, test } from 'vitest'
import type { IntakeEvent, Item } from '../../src/contract/resources/item.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forAllTests(operatorWith())
let held: Item
beforeAll(async () => {
  const items = await operator.look<Item[]>(['items', 'ls', '--grader', 'PSA', '--limit', '1'])
  held = items[0]!
})

/** Fifteen rows that no label could have, and custody's message for each. */
function sheet(): Array<readonly [row: string, words: string]> {
  const cert = held.cert_number!
  return [
    [
      'PSA,10,1',
      '"1" has 1 digit, and certificates of PSA have 7 to 10 digits: it is compared as PSA 0000001',
    ],
    ['PSA,10,48201934123', '"48201934123" has 11 digits, and certificates of PSA have 7 to 10 digits'],
    [
      'CGC,10,12345',
      '"12345" has 5 digits, and certificates of CGC have 10 digits: it is compared as CGC 0000012345',
    ],
    ['SGC,10,ABC1234', '"ABC1234" is not a certificate of SGC, which has 7, 8 or 10 digits'],
    ['PSA 10,,48201935', '"PSA 10" is a grader and a grade: it is compared as PSA'],
    ['XYZ,10,48201936', '"XYZ" is not a grader that custody knows: it is compared as XYZ'],
    [`P.S.A.,8,${cert}`, `"${cert}" is already in custody: ${held.qid}, received`],
    [
      'PSA,10,https://www.psacard.com/cert/48201938/psa',
      '"https://www.psacard.com/cert/48201938/psa" is an address: it is compared as PSA 48201938',
    ],
    [
      'CGC,10,https://www.cgccards.com/certlookup/4123456789/',
      '"https://www.cgccards.com/certlookup/4123456789/" is an address: it is compared as CGC 4123456789',
    ],
    [
      'TAG,10,https://my.taggrading.com/card/A1234567',
      '"https://my.taggrading.com/card/A1234567" is an address: it is compared as TAG A1234567',
    ],
    ['PSA,9.7,48201940', '"9.7" is not a grade that PSA gives'],
    ['PSA,Gem Mint,48201941', '"Gem Mint" is not a grade that PSA gives'],
    ['CGC,11,4123456790', '"11" is not a grade that CGC gives'],
    ['PSA,10,48201942', ''],
    ['psa,10,4820-1942', '"4820-1942" of psa is already in row 14, line 15'],
    [
      'BGS,9.5,12345678',
      '"12345678" has 8 digits, and certificates of BGS have 10 digits: it is compared as BGS 0012345678',
    ],
  ]
}

/** The lines that name a row, by its number. */
function named(stderr: string): Map<number, string> {
  return new Map(
    stderr.split('\n').flatMap((line) => {
      const [, row, words] = /^ {2}row (\d+)(?:, line \d+)? +(.+)$/.exec(line) ?? []
      return row === undefined ? [] : [[Number(row), words!.replace(/^\w+ /, '').replace(/\.$/, '')] as const]
    }),
  )
}

/** A purchase sheet with the grade in its own column, which manifests lack, or in the description. */
function purchase(isInDescription: boolean): string {
  const rows = sheet().map(([row], at) => {
    const [grader, grade, cert] = row.split(',')
    return isInDescription ? `Card ${at} ${grader} ${grade},${grader},${cert}` : `Card ${at},${row}`
  })
  const columns = isInDescription ? 'description,grader,cert_number' : 'description,grader,grade,cert_number'
  return `${[columns, ...rows].join('\n')}\n`
}

describe('rows that no slab can have', () => {
  test('are each named before a manifest is submitted, with the form used to compare them', async () => {
    operator.write('sheet.csv', purchase(false))
    const submit = ['manifests', 'submit', 'sheet.csv', '--ignore-columns', 'grade', '--reference', 'BAD-1']
    const dry = await operator.run([...submit, '--dry-run'])
    const told = named(dry.stderr)
    expect([dry.exitCode, ...sheet().map((_, at) => told.get(at + 1) ?? '')]).toEqual([
      9,
      ...sheet().map(([, words]) => words),
    ])
    const strict = await operator.run([...submit, '--strict'])
    expect(strict.exitCode).toBe(6)
    expect(await operator.look<Manifest[]>(['manifests', 'ls', '--reference', 'BAD-1'])).toEqual([])
    const sent = await operator.run([...submit, '--no-lint'])
    expect(named(sent.stderr).get(2)).toBeUndefined()
    const [manifest] = await operator.look<Manifest[]>(['manifests', 'ls', '--reference', 'BAD-1'])
    expect(manifest?.line_count).toBe(15)
  })

  test('are named if the description holds the grade', async () => {
    operator.write('described.csv', purchase(true))
    const { stderr } = await operator.run(['manifests', 'submit', 'described.csv', '--dry-run', '--offline'])
    const told = named(stderr)
    expect([11, 12, 13].map((row) => told.get(row))).toEqual([
      '"PSA 9.7" does not name a grade that PSA gives',
      '"PSA Gem Mint" does not name a grade that PSA gives',
      '"CGC 11" does not name a grade that CGC gives',
    ])
    expect(told.has(14)).toBe(false)
    expect(told.size).toBe(14)
  })

  test('are each named by warehouse intake, with those that custody holds and unknown SKUs, in one answer', async () => {
    const rows = sheet().map(([row]) => `${row},`)
    operator.write('floor.csv', `${['grader,grade,cert_number,sku', ...rows, ',,,NOPE'].join('\n')}\n`)
    const { exitCode, stderr } = await operator.run(['warehouse', 'intake', 'floor.csv'])
    const told = named(stderr)
    const expected = new Map(sheet().map(([, words], at) => [at + 1, words]))
    expected.set(7, `${held.cert_number} is already in custody: ${held.qid}, received`)
    expected.set(15, '4820-1942 is also in row 14, line 15')
    expected.set(17, '"NOPE" is not in the catalog: create the product first, or correct the SKU')
    expect([
      exitCode,
      ...[...expected.keys()].map((row) => told.get(row)?.replace('P.S.A. ', '') ?? ''),
    ]).toEqual([6, ...expected.values()])
    expect(stderr).toContain('8 rows of floor.csv cannot be received; nothing was received. Delete the rows')
  })

  test('have no grade beside PSA 10, which is received as the 10 of PSA, from a file or flags', async () => {
    operator.write('tens.csv', 'grader,grade,cert_number\nPSA 10,,58201950\nP.S.A. 9 OC,,58201951\n')
    const typed = ['--grader', 'PSA 10', '--cert-number', '58201952']
    const taken = [
      ...(await operator.json<IntakeEvent[]>(['warehouse', 'intake', 'tens.csv', '--no-lint'])),
      ...(await operator.json<IntakeEvent[]>(['warehouse', 'intake', ...typed])),
    ]
    expect(taken.map(({ item: { grader, grade } }) => [grader, grade])).toEqual([
      ['PSA', '10'],
      ['PSA', '9 OC'],
      ['PSA', '10'],
    ])
    const { exitCode, stderr } = await operator.run(['warehouse', 'intake', '--grader', 'PSA'])
    expect([exitCode, stderr]).toEqual([
      6,
      expect.stringContaining(
        ': grade is required for a slab; cert_number is required for a slab; nothing was received.',
      ),
    ])
  })

  test('are rejected by the warehouse, from a file or flags, unless --no-lint is given', async () => {
    const rows = ['PSA,9.7,58201940', 'PSA,Gem Mint,58201941', 'CGC,11,5123456790', 'PSA,9 OC,58201943']
    operator.write('arrivals.csv', `grader,grade,cert_number\n${rows.join('\n')}\n`)
    const file = await operator.run(['warehouse', 'intake', 'arrivals.csv'])
    expect([file.exitCode, [...named(file.stderr)]]).toEqual([
      6,
      [
        [1, '"9.7" is not a grade that PSA gives'],
        [2, '"Gem Mint" is not a grade that PSA gives'],
        [3, '"11" is not a grade that CGC gives'],
      ],
    ])
    const slab = ['warehouse', 'intake', '--grader', 'PSA', '--cert-number', '58201940', '--grade', '9.7']
    const flags = await operator.run(slab)
    expect([flags.exitCode, flags.stderr]).toEqual([
      6,
      expect.stringContaining('"9.7" is not a grade that PSA gives'),
    ])
    const taken = await operator.json<IntakeEvent[]>([...slab, '--no-lint'])
    expect(taken).toEqual([expect.objectContaining({ item: expect.objectContaining({ grade: '9.7' }) })])
    operator.write('damaged.csv', 'grader,grade,cert_number\nPSA,9,4.8E+07\n')
    const asIs = ['warehouse', 'intake', 'damaged.csv', '--no-lint']
    expect((await operator.json<IntakeEvent[]>(asIs))[0]?.item.cert_number).toBe('4.8E+07')
    const short = await operator.run([
      'warehouse',
      'intake',
      '--grader',
      'PSA',
      '--cert-number',
      '123',
      '--grade',
      '9',
    ])
    expect([short.exitCode, short.stderr]).toEqual([
      0,
      expect.stringContaining('Warning: cert_number "123" has 3 digits'),
    ])
  })
})

test('a slab is never received twice, however its grader and certificate are spelled', async () => {
  const first = await operator.json<IntakeEvent[]>(
    'warehouse intake --grader PSA --grade 10 --cert-number 68201934'.split(' '),
  )
  const qid = first[0]?.qid
  const before = await operator.look<{ total: number }>(['items', 'summary'])
  const spellings = [
    ['P.S.A.', '6820-1934'],
    ['psa 10', '068201934'],
    ['PSA', 'https://www.psacard.com/cert/68201934/psa'],
  ] as const
  for (const [grader, cert] of spellings) {
    const slab = ['--grader', grader, '--grade', '10', '--cert-number', cert]
    const flags = await operator.run(['warehouse', 'intake', ...slab])
    expect([flags.exitCode, flags.stderr]).toEqual([5, expect.stringContaining(`already in custody: ${qid}`)])
    operator.write('again.csv', `grader,grade,cert_number\n${grader},10,${cert}\n`)
    const file = await operator.run(['warehouse', 'intake', 'again.csv'])
    expect([file.exitCode, file.stderr]).toEqual([5, expect.stringContaining(`already in custody: ${qid}`)])
    const scan = await operator.run(['warehouse', 'receive', 'PO-1042', '--scan'], {
      input: `${cert}\n`,
    })
    expect([scan.exitCode, scan.stdout + scan.stderr]).toEqual([9, expect.stringContaining(`${qid}`)])
  }
  expect(await operator.json(['items', 'summary'])).toEqual(before)
})

test('sandbox intake rejects a slab in custody, or twice in a file, as the warehouse does; --no-lint receives it', async () => {
  const intake = 'sandbox intake --grader PSA --grade 9 --cert-number'.split(' ')
  const [first] = await operator.json<IntakeEvent[]>([...intake, '78201934'])
  const second = await operator.run([...intake, '7820-1934'])
  expect([second.exitCode, second.stderr]).toEqual([
    5,
    expect.stringContaining(`"7820-1934" is already in custody: ${first?.qid}, received`),
  ])
  expect(await operator.json([...intake, '7820-1934', '--no-lint'])).toHaveLength(1)
  const item = { type: 'graded_slab', name: 'A', grader: 'PSA', grade: '9', cert_number: '78201935' }
  operator.write('twice.json', JSON.stringify({ items: [item, { ...item, grader: 'P.S.A.' }] }))
  const file = await operator.run(['sandbox', 'intake', 'twice.json'])
  expect([file.exitCode, file.stderr]).toEqual([5, expect.stringContaining('"78201935" is also in items[0]')])
})

test('warehouse intake advises for each kind of rejected row', async () => {
  operator.write('repeated.csv', 'grader,grade,cert_number\nPSA,9,78201936\nPSA,9,78201936\n')
  const { exitCode, stderr } = await operator.run(['warehouse', 'intake', 'repeated.csv'])
  expect([exitCode, stderr]).toEqual([
    5,
    expect.stringContaining('Correct or delete rows that repeat another.'),
  ])
  expect(stderr).not.toContain('Delete the rows of slabs in custody')
})

test('in production a slab is in custody for one partner: intake and the scan desk name the other', async () => {
  const live = ['--database', 'live.db', '--environment', 'production']
  const [ours, theirs] = ['Northgate', 'Harbor'].map((partner) => [...live, '--partner', partner]) as [
    string[],
    string[],
  ]
  const warehouse = (args: string[], input = '') => operator.run(['warehouse', ...args], { input })
  await operator.run(['init', ...ours, '--name', 'live'])
  operator.write('mew.csv', 'description,grader,cert_number\nMew,PSA,77700001\n')
  await operator.run(['manifests', 'submit', 'mew.csv', '--reference', 'R-3', '--profile', 'live'])
  await operator.run(['admin', 'partners', 'create', 'Harbor', '--database', 'live.db'])
  await operator.run(['admin', 'keys', 'create', 'Harbor', ...live])
  const intake = ['intake', '--grader', 'PSA', '--grade', '9', '--cert-number', '77700001']
  expect((await warehouse([...intake, ...theirs])).exitCode).toBe(0)
  const { exitCode, stderr } = await warehouse([...intake, ...ours])
  const held =
    /already in custody: Q-.*, received, for Harbor; nothing was received. Check the partner. Check the grader/
  expect([exitCode, stderr]).toEqual([5, expect.stringMatching(held)])
  const scan = await warehouse(['receive', 'R-3', ...ours, '--scan'], '77700001 9\n')
  expect(scan.stdout).toMatch(/^twice\t77700001 was already received: Q-.*, received, for Harbor$/m)
  expect((await warehouse([...intake, ...ours, '--no-lint'])).exitCode).toBe(0)
  const check = await operator.run(['db', 'check', '--database', 'live.db'])
  expect([check.exitCode, check.stdout]).toEqual([9, expect.stringContaining('find out whose it is')])
})
