import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

describe('the output of a list in a pipe', () => {
  test('is tab-separated, in UTC and without colour, and stderr names the rest', async () => {
    const { stdout, stderr, exitCode } = await operator.run(['items', 'ls', '--limit', '2'])
    const [header, first] = stdout.split('\n')
    expect(header).toBe('qid\tstatus\tname\tgrader\tgrade\tcert_number\tsku\tintake_at')
    expect(first).toMatch(
      /^Q-[\w-]{14}\treceived\tPok.mon .*\t\t\t\tPKM-151-UPC\t\d{4}-\d\d-\d\dT[\d:.]{12}Z$/,
    )
    expect(stdout).not.toContain('\u001b')
    expect(stderr).toBe('2 of 142; --all for the rest\n')
    expect(exitCode).toBe(0)
  })

  test('is one page by default and everything once with --all', async () => {
    const page = await operator.run(['items', 'ls', '--no-header', '--columns', 'qid'])
    expect(page.stdout.trimEnd().split('\n').length).toBe(25)
    expect(page.stderr).toBe('25 of 142; --all for the rest\n')
    const all = await operator.run([
      'items',
      'ls',
      '--all',
      '--page-size',
      '40',
      '--no-header',
      '--columns',
      'qid',
    ])
    const qids = all.stdout.trimEnd().split('\n')
    expect([qids.length, new Set(qids).size]).toEqual([142, 142])
    expect(all.stderr).toBe('')
  })

  test("is the wire's objects as JSON, and one a line as NDJSON", async () => {
    const { stdout } = await operator.run(['items', 'ls', '--limit', '2', '--output', 'json'])
    const items = JSON.parse(stdout) as Item[]
    expect(items.map(({ type, model_3d }) => [type, model_3d])).toEqual(Array(2).fill(['product', null]))
    const lines = (await operator.run(['items', 'ls', '--limit', '2', '-o', 'ndjson'])).stdout
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(items)
  })

  test('keeps every character of a name as CSV', async () => {
    const { stdout } = await operator.run([
      'products',
      'ls',
      '--sku',
      'PKM-JP-SV2A-BB20',
      '--output',
      'csv',
      '--columns',
      'sku,name,weight.unit',
    ])
    expect(stdout).toBe(
      'sku,name,weight.unit\nPKM-JP-SV2A-BB20,ポケモンカード151 強化拡張パック 20パック入りBOX,g\n',
    )
  })

  test('is an aligned table on request, in UTC as everywhere outside a terminal', async () => {
    const { stdout } = await operator.run([
      'manifests',
      'ls',
      '-o',
      'table',
      '--columns',
      'reference,status,line_count',
    ])
    expect(stdout).toBe(
      [
        'REFERENCE  STATUS      LINES',
        'BS-2031    submitted      12',
        'PO-1043    receiving      28',
        'PO-1042    receiving      12',
        'PO-1041    reconciled     35',
        '',
      ].join('\n'),
    )
  })

  test('is only a header, and a message on stderr, if nothing is found', async () => {
    const { stdout, stderr, exitCode } = await operator.run(['items', 'ls', '--search', 'no such card'])
    expect(stdout).toBe('qid\tstatus\tname\tgrader\tgrade\tcert_number\tsku\tintake_at\n')
    expect([stderr, exitCode]).toEqual(['none found\n', 0])
  })

  test('tells a page past the end from an empty list', async () => {
    const { stderr } = await operator.run(['items', 'ls', '--page', '9'])
    expect(stderr).toBe('no page 9: 142 in 6 pages\n')
  })

  test('ends quietly when its reader leaves', async () => {
    const command = `"${process.execPath}" bin/custody.js items ls --all -o json | head -1`
    const { stdout, stderr, exitCode } = await execa(command, {
      shell: true,
      cwd: root,
      env: { CUSTODY_DATABASE: operator.database },
    })
    expect([stdout, stderr, exitCode]).toEqual(['[', '', 0])
  })
})

describe('filters', () => {
  test('are those of the operations table: status, search, grader, manifest by reference, times', async () => {
    const count = async (...args: string[]): Promise<number> =>
      (await operator.json<Item[]>(['items', 'ls', '--all', ...args])).length
    expect(await count('--status', 'digitized')).toBe(4)
    expect(await count('--grader', 'bgs', '--status', 'available')).toBe(3)
    expect(await count('--manifest-id', 'PO-1043')).toBe(26)
    expect(await count('--intake-after', '36h')).toBe(10)
    expect(await count('--intake-before', '2020-01-01')).toBe(0)
    expect(await count('--search', 'CHARIZARD')).toBeGreaterThan(2)
  })

  test.each([
    [['init', '--profile', 'p'], "unknown option '--profile'. Name the profile with --name."],
    [['db', 'check', '--base-url', 'http://a/v1'], "unknown option '--base-url'. Name the database with"],
    [['items', 'ls', '--api-key-stdin'], "unknown option '--api-key-stdin'. Only custody init has it: set"],
    [['items', 'ls', '--statsu', 'received'], "unknown option '--statsu'. Did you mean --status?"],
    [
      ['items', 'ls', '--json=yes'],
      "unknown option '--json=yes'. Does --json take a value? See: custody items ls --help",
    ],
    [['warehouse', 'label', 'SO-1', '--tracking', '1Z9'], "'--tracking'. Did you mean --tracking-number?"],
    [['manifests', 'submit', 'po.csv', '--ref=PO-7'], "'--ref=PO-7'. Did you mean --reference?"],
    [['items', 'ls', '--status', 'availble'], 'Did you mean available?'],
    [['items', 'ls', '--intake-after', 'last week'], '--intake-after: "last week" is not a time.'],
    [['items', 'ls', '--limit', '0'], '--limit: "0" is not a whole number of 1 or more.'],
    [['items', 'ls', '--columns', 'qid,nmae'], '--columns: there is no column "nmae". Did you mean name?'],
    [['items', 'ls', '--json', '--output', 'csv'], 'contradict each other'],
    [['items', 'ls', '--page', '2', '--all'], '--page cannot be used with --all'],
    [['itmes', 'ls'], "unknown command 'itmes'. Did you mean items?"],
    [['items', 'lst'], "unknown command 'lst'. Did you mean ls?"],
    [['items', '--json'], 'See: custody items --help'],
    [['items', 'show'], "missing required argument 'item'"],
    [['help', 'nothing'], "unknown command 'nothing'. See: custody --help"],
    [['help', 'items', 'lst'], "unknown command 'lst'. Did you mean ls?"],
    [['items', 'lst', '--help'], "unknown command 'lst'. Did you mean ls?"],
    [['item', '-h'], "unknown command 'item'. Did you mean items?"],
  ])('exit 2 for %j, with one line and nothing on stdout', async (args, message) => {
    const { exitCode, stdout, stderr } = await operator.run(args)
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
    expect([exitCode, stdout]).toEqual([2, args.includes('--json') ? stdout : ''])
  })
})
