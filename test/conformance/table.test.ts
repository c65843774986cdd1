import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entries } from '../../src/conformance/entries.ts'
import { projectFiles } from '../source/tree.ts'
import { clausesOf, introductionOf, pageText } from './table.ts'

const file = join(import.meta.dirname, '..', '..', 'docs', 'conformance.md')
const tests = new Map(
  projectFiles()
    .filter(({ path }) => path.endsWith('.test.ts'))
    .map(({ path, text }) => [path, text]),
)

describe('docs/conformance.md', () => {
  test('has the clauses of the run (UPDATE_GOLDEN=1 writes it again)', () => {
    const page = readFileSync(file, 'utf8')
    const fresh = pageText(introductionOf(page), entries, clausesOf(page))
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, fresh)
    expect(readFileSync(file, 'utf8')).toBe(fresh)
  })

  test('names only existing tests, by file and title', () => {
    const named = clausesOf(readFileSync(file, 'utf8')).flatMap(({ clause, tests }) =>
      tests.map((proof) => ({ clause, proof })),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ proof }) => !isTest(proof))).toEqual([])
  })

  test('names a test for each clause that the run cannot see, and skips no number', () => {
    const clauses = clausesOf(readFileSync(file, 'utf8'))
    expect(clauses.filter(({ isChecked, tests }) => !isChecked && tests.length === 0)).toEqual([])
    const numbers = Map.groupBy(clauses, ({ clause }) => clause.replace(/-\d+$/, ''))
    for (const [part, own] of numbers)
      expect(own.map(({ clause }) => clause)).toEqual(own.map((_, at) => `${part}-${at + 1}`))
  })

  test('notices a missing test', () => {
    expect(isTest('test/conformance/table.test.ts: a test that there is not')).toBe(false)
    expect(isTest('test/conformance/none.test.ts: a test that there is not is noticed')).toBe(false)
    expect(isTest('test/conformance/table.test.ts: notices a missing test')).toBe(true)
  })

  test('covers parts 2 to 9 and decisions 1 to 11 and 13', () => {
    const parts = new Set(entries.map(({ clause }) => /^D?\d+/.exec(clause)?.[0]))
    const decisions = Array.from({ length: 11 }, (_, n) => `D${n + 1}`)
    expect([...parts]).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', ...decisions, 'D13'])
  })
})

/** `file: title`, with the title as written in the test's call. */
function isTest(proof: string): boolean {
  const [, path = '', title = ''] = /^(\S+): (.*)$/.exec(proof) ?? []
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`\\(\\s*(['"\`])${escaped}\\1`).test(tests.get(path) ?? '')
}
