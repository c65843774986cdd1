import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { onBadMachine } from '../support/bad-machine.ts'
import { forAllTests } from '../support/each.ts'
import { newOperator, operatorWith, type Ran } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

describe('manifests report --html', () => {
  test('writes a self-contained page, says so, and prints nothing', async () => {
    const { exitCode, stdout, stderr } = await report('PO-1041', '--html', 'po-1041.html')
    expect([exitCode, stdout, stderr]).toEqual([0, '', 'Wrote the report of PO-1041 to po-1041.html\n'])
    const page = operator.read('po-1041.html')
    expect(page).toMatch(/^<!DOCTYPE html>\n/)
    expect(page).toContain('<h1>PO-1041</h1>')
    expect(page).toContain('<title>PO-1041 – Sandbox – reconciliation report</title>')
    expect(page).toContain('data-label="Diff."')
    expect(page).toContain('Sandbox: a rehearsal')
    expect(page.endsWith('</html>\n')).toBe(true)
  })

  test('has only the lines of --status, and all totals', async () => {
    await report('PO-1041', '--status', 'matched', '--html', 'some.html')
    const page = operator.read('some.html')
    expect(page).toMatch(
      /<dt>Missing<\/dt><dd>1<\/dd>[\s\S]*<h2>Arrived as expected <span class="count">33 lines/,
    )
    expect(page).not.toMatch(/<h2>Missing|Everything arrived as expected/)
    expect(page).toContain('Lists only lines with the status matched.')
  })

  test('writes both files with --csv', async () => {
    const { exitCode, stderr } = await report('PO-1042', '--html', 'both.html', '--csv', 'both.csv')
    expect([exitCode, stderr]).toEqual([
      0,
      'Wrote the report of PO-1042 to both.html\nWrote 12 lines to both.csv\n',
    ])
    expect(operator.read('both.html')).toContain('Provisional.')
    expect(operator.read('both.csv').trimEnd().split('\n').length).toBe(13)
  })

  test('replaces its earlier output, also with --csv, and no other file', async () => {
    operator.write('own.csv', 'description,sku,quantity\nBox,B-1,2\n')
    operator.write('own.html', '<!DOCTYPE html>\n<html lang="en">\n<title>Mine</title>\n')
    const before = readFileSync(operator.database)
    for (const [flag, file] of [
      ['--html', operator.database],
      ['--html', 'own.html'],
      ['--csv', 'own.csv'],
    ] as const) {
      const { exitCode, stderr } = await report('PO-1041', flag, file)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${file} already exists and is not`)])
    }
    expect(readFileSync(operator.database).equals(before)).toBe(true)
    expect(operator.read('own.csv')).toMatch(/^description/)
    for (const excel of [[], ['--excel']])
      for (const [flag, file] of [
        ['--html', 'again.html'],
        ['--csv', 'again.csv'],
      ] as const)
        expect((await report('PO-1041', flag, file, ...excel)).exitCode).toBe(0)
    expect(operator.read('again.csv')).toMatch(/^\ufeff/)
  })

  test('exits 2 and names the file for a missing folder, and exits 8 for a full disk', async () => {
    const { exitCode, stderr } = await report('PO-1041', '--html', 'nowhere/page.html')
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /^custody manifests report: nowhere\/page\.html cannot be written: its folder does not exist/,
    )
    const env = onBadMachine({ call: 'openSync wx', path: 'page.html', how: 'ENOSPC' })
    const full = await operator.run(['manifests', 'report', 'PO-1041', '--html', 'page.html'], { env })
    expect([full.exitCode, full.stderr]).toEqual([
      8,
      'custody manifests report: page.html cannot be written: no space is left on the disk.\n',
    ])
  })
})

test.each(['tsv', 'csv', 'table'])('manifests close shows the same as a report, as %s', async (format) => {
  const seller = await newOperator()
  const close = ['manifests', 'close', 'PO-1042', '--yes', '--status', 'missing']
  const json = await seller.run([...close, '--json'])
  expect([json.exitCode, json.stderr]).toEqual([2, expect.stringContaining('--status filters the report')])
  const summary = format === 'csv' ? [] : ['--summary-columns', 'totals.missing']
  const chosen = ['--columns', 'external_ref,status,difference', ...summary, '--output', format]
  const closed = await seller.run([...close, ...chosen])
  const report = await seller.run(['manifests', 'report', 'PO-1042', '--status', 'missing', ...chosen])
  expect([closed.exitCode, closed.stdout]).toEqual([0, report.stdout])
  expect(closed.stdout).toMatch(/missing\W+-8/)
  expect(closed.stdout).not.toContain('matched')
  seller.leave()
})

test('--columns chooses columns of the lines, --summary-columns the rest, in every format of report and show', async () => {
  const of = (command: string, ...more: string[]): Promise<Ran> =>
    operator.run(['manifests', command, 'PO-1041', ...more])
  const lines = ['--columns', 'external_ref,intake_at', '--status', 'missing,unexpected']
  const expected = /^external_ref,intake_at\nPO-1041-18,\n,\d{4}-[\d:.TZ-]+\n$/
  expect((await of('report', ...lines, '-o', 'csv')).stdout).toMatch(expected)
  await of('report', ...lines, '--csv', 'chosen.csv')
  expect(operator.read('chosen.csv')).toMatch(expected)
  expect((await of('report', ...lines)).stdout.replaceAll('\t', ',')).toMatch(expected)
  expect(JSON.parse((await of('report', ...lines, '--json')).stdout)).toEqual([
    { external_ref: 'PO-1041-18', intake_at: null },
    { external_ref: null, intake_at: expect.any(String) },
  ])
  const both = ['--columns', 'quantity', '--summary-columns', 'reference']
  expect((await of('show', ...both)).stdout).toMatch(/^reference\tPO-1041\n\nquantity\n1\n/)
  const rejected = await of('show', ...both, '-o', 'csv')
  expect([rejected.exitCode, rejected.stderr]).toEqual([2, expect.stringContaining('CSV is one table')])
  const unknown = await of('show', '--columns', 'reference')
  expect(unknown.stderr).toContain('there is no column "reference"')
  const status = await of('report', '--status', 'mising')
  expect([status.exitCode, status.stderr]).toEqual([2, expect.stringContaining('Did you mean missing?')])
})

function report(...args: string[]) {
  return operator.run(['manifests', 'report', ...args])
}
