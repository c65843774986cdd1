import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

beforeAll(async () => {
  operator = await newOperator()
})
afterAll(() => operator.leave())

describe('manifests report --html', () => {
  test('writes a page of its own and says so; nothing is printed', async () => {
    const { exitCode, stdout, stderr } = await report('PO-1041', '--html', 'po-1041.html')
    expect([exitCode, stdout, stderr]).toEqual([0, '', 'Wrote the report of PO-1041 to po-1041.html\n'])
    const page = operator.read('po-1041.html')
    expect(page).toMatch(/^<!DOCTYPE html>\n/)
    expect(page).toContain('<h1>PO-1041</h1>')
    expect(page).toContain('Sandbox: a rehearsal')
    expect(page.endsWith('</html>\n')).toBe(true)
  })

  test('and --csv write both files', async () => {
    const { exitCode, stderr } = await report('PO-1042', '--html', 'both.html', '--csv', 'both.csv')
    expect([exitCode, stderr]).toEqual([
      0,
      'Wrote the report of PO-1042 to both.html\nWrote 12 lines to both.csv\n',
    ])
    expect(operator.read('both.html')).toContain('Provisional.')
    expect(operator.read('both.csv').trimEnd().split('\n').length).toBe(13)
  })

  test('into a folder that is not there is exit 2 with the file named', async () => {
    const { exitCode, stderr } = await report('PO-1041', '--html', 'nowhere/page.html')
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /^custody manifests report: nowhere\/page\.html cannot be written: its folder does not exist/,
    )
  })
})

function report(...args: string[]) {
  return operator.run(['manifests', 'report', ...args])
}
