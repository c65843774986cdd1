import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { newOperator, type Operator, type Ran, root } from '../support/operator.ts'
import { ageNotes, forgetResults } from '../support/passed-time.ts'

let operator: Operator

beforeEach(async () => {
  operator = await newOperator('empty')
})
afterEach(() => operator.leave())

describe('a reference that an open manifest has already', () => {
  test('is refused unattended: exit 5, with one that is free; --again is on purpose; a closed one is no hindrance', async () => {
    await submit(['Box,1'])
    await submit(['Other,1'], '--reference', 'BUY-1-2')
    const { exitCode, stdout, stderr } = await submit(['Box,2'])
    expect([exitCode, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(
      /BUY-1 is the reference of an open manifest already \(submitted 20\S+, 1 line\); nothing was submitted\. Give another reference, as BUY-1-3; --again submits a second one/,
    )
    expect((await submit(['Box,2'], '--again')).exitCode).toBe(0)
    const [second, first] = await manifests('BUY-1')
    const shown = await operator.run(['manifests', 'report', 'BUY-1'])
    expect(shown.exitCode).toBe(2)
    for (const one of [first, second])
      expect(shown.stderr).toMatch(new RegExp(`${one?.id} +submitted, created ${one?.created_at}, 1 line`))
    for (const one of [first, second]) await operator.run(['manifests', 'close', one?.id ?? '', '--yes'])
    expect((await submit(['Box,3'])).exitCode).toBe(0)
  })

  test('is asked about on a terminal: Enter is no, y submits another', async () => {
    await submit(['Box,1'])
    const no = await onTerminal('\n', ['Box,2'])
    expect([no.exitCode, no.stderr]).toEqual([130, expect.stringContaining('Submit another with it?')])
    expect((await onTerminal('y\n', ['Box,2'])).exitCode).toBe(0)
    expect(await manifests('BUY-1')).toHaveLength(2)
  })
})

test('what was submitted by a clock that was ten days ahead is not submitted again when that time has come', async () => {
  await submit(['Box,1'])
  const [one] = await manifests('BUY-1')
  await operator.run(['manifests', 'close', one?.id ?? '', '--yes'])
  ageNotes(operator, -240)
  for (const hours of [0, 241]) {
    forgetResults(operator.database)
    ageNotes(operator, hours)
    expect((await submit(['Box,1'])).exitCode).toBe(0)
  }
  expect(await manifests('BUY-1')).toHaveLength(1)
})

describe('a sheet with bad rows', () => {
  const rows = ['Box,1', 'Bad,none', 'Card,2']

  test('is asked about on a terminal before the good rows are submitted', async () => {
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

  test('is refused whole with --strict, also where only the target knows what is bad', async () => {
    for (const sheet of [rows, ['Box,1', 'Box,1,NO-SUCH-SKU']]) {
      const { exitCode, stdout, stderr } = await submit(sheet, '--strict')
      expect([exitCode, stdout]).toEqual([6, ''])
      expect(stderr).toMatch(/row 2, line 3 +.*(none|not in the catalog)/)
    }
    expect(await manifests('BUY-1')).toEqual([])
    expect((await submit(['Box,1'], '--strict')).exitCode).toBe(0)
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
