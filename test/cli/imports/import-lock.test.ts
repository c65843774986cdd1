import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockImport } from '../../../src/cli/imports/import-lock.ts'

let folder: string
let journal: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-lock-'))
  journal = join(folder, 'x.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a second run of the same import is kept out until the first has ended', () => {
  const unlock = lockImport(journal, 'a.csv')
  expect(() => lockImport(journal, 'a.csv')).toThrow(
    `a.csv is being imported by another process already (${process.pid}).`,
  )
  unlock()
  lockImport(journal, 'a.csv')()
  expect(existsSync(`${journal}.lock`)).toBe(false)
})

test.each(['', 'nonsense', '2147483646'])(
  'the lock of a process that is no more (%j) counts for nothing',
  (owner) => {
    writeFileSync(`${journal}.lock`, owner)
    const unlock = lockImport(journal, 'a.csv')
    expect(() => lockImport(journal, 'a.csv')).toThrow('already')
    unlock()
  },
)
