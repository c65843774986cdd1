import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockImport } from '../../../src/cli/imports/journal/import-lock.ts'

let folder: string
let journal: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-lock-'))
  journal = join(folder, 'x.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a second run of the same import is kept out until the first has ended, and nothing is left', () => {
  const unlock = lockImport(journal, 'a.csv')
  expect(() => lockImport(journal, 'a.csv')).toThrow('a.csv is being imported by another process already.')
  lockImport(join(folder, 'y.jsonl'), 'b.csv')()
  unlock()
  lockImport(journal, 'a.csv')()
  expect(readdirSync(folder)).toEqual([])
})

test.each(['', '1', String(process.pid)])(
  'what an older custody left of a process (%j) that may be anybody now counts for nothing',
  (owner) => {
    writeFileSync(`${journal}.lock`, owner)
    lockImport(journal, 'a.csv')()
  },
)

test('the system lets go of it when its process is killed', async () => {
  const source = join(import.meta.dirname, '../../../src/cli/imports/journal/import-lock.ts')
  const script = `import { lockImport } from ${JSON.stringify(source)}
    globalThis.unlock = lockImport(${JSON.stringify(journal)}, 'a.csv'); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  expect(() => lockImport(journal, 'a.csv')).toThrow('by another process already')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(existsSync(join(folder, 'x.lock'))).toBe(true)
  lockImport(journal, 'a.csv')()
  expect(readdirSync(folder)).toEqual([])
})
