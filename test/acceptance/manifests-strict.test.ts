import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { forAllTests, forEachTest, serviceOf } from '../support/each.ts'
import { operatorWith, type Ran, root } from '../support/operator.ts'

const operator = forEachTest(operatorWith('empty'))

describe('a manifest file with bad rows', () => {
  const rows = ['Box,1', 'Bad,none', 'Card,2']

  test('needs confirmation in a terminal before the good rows are submitted', async () => {
    const no = await onTerminal('\n', rows)
    expect([no.exitCode, no.stderr]).toEqual([
      130,
      expect.stringMatching(
        /row 2, line 3 {2}quantity[\s\S]*Submit the 2 good rows without it\? No: correct buy\.csv first\./,
      ),
    ])
    expect(await manifests('BUY-1')).toEqual([])
    const yes = await onTerminal('y\n', rows)
    expect([yes.exitCode, yes.stderr]).toEqual([
      9,
      expect.stringContaining('with\n--reference BUY-1-2: a manifest'),
    ])
  })

  test('is rejected as a whole with --strict, also if only the target knows which rows are bad', async () => {
    for (const sheet of [rows, ['Box,1', 'Box,1,NO-SUCH-SKU']]) {
      const { exitCode, stdout, stderr } = await submit(sheet, '--strict')
      expect([exitCode, stdout]).toEqual([6, ''])
      expect(stderr).toMatch(/row 2, line 3 +.*(none|not in the catalog)/)
    }
    expect(await manifests('BUY-1')).toEqual([])
    expect((await submit(['Box,1'], '--strict')).exitCode).toBe(0)
  })

  test('names the rows that only the target knows with the others, before it asks or rejects the whole', async () => {
    const sheet = [...rows, 'Box,1,NO-SUCH-SKU']
    const unknown =
      /row 2, line 3 {2}quantity[\s\S]*row 4, line 5 {2}sku "NO-SUCH-SKU" is not in the\s+catalog/
    for (const flag of [['--strict'], ['--arrives-by', '2099-05-11']]) {
      const { exitCode, stderr } = await submit(sheet, ...flag)
      expect([exitCode, stderr]).toEqual([6, expect.stringMatching(unknown)])
    }
    const { stderr } = await onTerminal('\n', sheet)
    expect(stderr).toMatch(unknown)
    expect(stderr).toContain('Submit the 2 good rows without them?')
  })

  test('is recognised after the catalog got a missing SKU, if nobody is asked', async () => {
    const sheet = [...rows, 'Box,1,LATER']
    expect((await submit(sheet)).exitCode).toBe(9)
    const catalog =
      'name,sku,length,width,height,dimension_unit,weight,weight_unit\nBox,LATER,1,1,1,in,1,oz\n'
    await operator.run(['products', 'import', operator.write('catalog.csv', catalog)])
    const { exitCode, stderr } = await submit(sheet)
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('nothing was submitted twice')])
  })

  test('is named with its rows if its arrival window is over too', async () => {
    const { exitCode, stderr } = await submit(rows, '--arrives-by', '2025-05-11')
    expect([exitCode, stderr]).toEqual([
      6,
      expect.stringMatching(/row 2, line 3 {2}quantity[\s\S]*The arrival window ended on 2025-05-11/),
    ])
  })
})

describe('a service without GET /slabs', () => {
  const requests: string[] = []
  const service = forAllTests(
    serviceOf((request, response) => {
      requests.push(String(request.method))
      const isList = request.url?.startsWith('/v1/manifests?') === true
      const error = { code: 'not_found', message: 'No such resource.', extra: {} }
      const page = { results: [], total: 0, page_size: 250, count: 0 }
      const isFound = isList || request.url === '/v1/openapi.json'
      response
        .writeHead(isFound ? 200 : 404)
        .end(JSON.stringify(isList ? page : isFound ? { paths: {} } : error))
    }),
  )

  test('gets no manifest with --strict, because its slabs cannot be checked', async () => {
    operator.write('slabs.csv', 'description,grader,cert_number\nA,PSA,71234501\n')
    const args = ['manifests', 'submit', 'slabs.csv', '--reference', 'S-1', '--strict']
    const { exitCode, stderr } = await operator.run(args, { env: { ...service.env, CUSTODY_DATABASE: '' } })
    expect([exitCode, stderr]).toEqual([
      10,
      expect.stringMatching(/does not offer GET \/slabs\.[\s\S]*--offline/),
    ])
    expect(new Set(requests)).toEqual(new Set(['GET']))
  })
})

describe('a dry run of a manifest with a SKU that the catalog lacks', () => {
  const sheet = ['Box,1', 'Box,1,NO-SUCH-SKU']

  test.each([
    { flags: [], exitCode: 9 },
    { flags: ['--again'], exitCode: 9 },
    { flags: ['--strict'], exitCode: 6 },
    { flags: ['--arrives-by', '2099-05-11'], exitCode: 6 },
  ])(
    'names the row and exits $exitCode with $flags, as the submission then does',
    async ({ flags, exitCode }) => {
      const dry = await submit(sheet, '--dry-run', ...flags)
      expect([dry.exitCode, dry.stdout]).toEqual([exitCode, 'rows\t2\ngood\t1\nbad\t1\n'])
      const fault = 'row 2, line 3  sku "NO-SUCH-SKU" is not in the catalog: create the product first'
      expect(dry.stderr).toContain(fault)
      expect((await submit(sheet, ...flags)).exitCode).toBe(exitCode)
    },
  )

  test('prints only the other rows as CSV, and exits 6 if there are none', async () => {
    const dry = await submit(sheet, '--dry-run', '--output', 'csv')
    expect([dry.exitCode, dry.stdout]).toEqual([9, 'description,sku,quantity\nBox,,1\n'])
    expect((await submit(sheet.slice(1), '--dry-run')).exitCode).toBe(6)
  })

  test('names the line of a JSON file', async () => {
    const lines = [{ description: 'A' }, { description: 'B', sku: 'NO-SUCH-SKU' }]
    operator.write('buy.json', JSON.stringify({ reference: 'J', lines }))
    const dry = await operator.run(['manifests', 'submit', 'buy.json', '--dry-run'])
    expect([dry.exitCode, dry.stderr]).toEqual([
      6,
      expect.stringMatching(/lines\[1\]\.sku +.*is not in the catalog/),
    ])
  })

  test('is not asked about with --offline', async () => {
    expect((await submit(sheet, '--dry-run', '--offline')).exitCode).toBe(0)
  })
})

function submit(rows: readonly string[], ...flags: string[]): Promise<Ran> {
  return operator.run(argsOf(rows, flags))
}

function onTerminal(input: string, rows: readonly string[]): Promise<Ran> {
  const preload = `--require "${root}/test/support/pretend-terminal.cjs"`
  return operator.run(argsOf(rows, []), { input, env: { TERM: 'xterm-256color', NODE_OPTIONS: preload } })
}

function argsOf(rows: readonly string[], flags: readonly string[]): string[] {
  const width = rows.some((row) => row.split(',').length > 2) ? ',sku' : ''
  const lines = rows.map((row) => (width !== '' && row.split(',').length < 3 ? `${row},` : row))
  operator.write('buy.csv', [`description,quantity${width}`, ...lines, ''].join('\n'))
  const reference = flags.includes('--reference') ? [] : ['--reference', 'BUY-1']
  return ['manifests', 'submit', 'buy.csv', ...reference, ...flags]
}

function manifests(reference: string): Promise<Manifest[]> {
  return operator.json(['manifests', 'ls', '--reference', reference])
}
