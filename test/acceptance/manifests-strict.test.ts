import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { forEachTest } from '../support/each.ts'
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
