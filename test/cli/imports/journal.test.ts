import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noteInJournal, readJournal, startJournal } from '../../../src/cli/imports/journal.ts'

let folder: string
let path: string
const head = {
  key: 'import-1',
  file: 'a.csv',
  rows: 9,
  errors_file: 'a.csv.errors.csv',
  started_at: '2026-05-01T00:00:00.000Z',
}
const chunk = (number: number) => ({ chunk: number, created: 5, failed: 1, sent: 6, errors_bytes: 40 })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-journal-'))
  path = join(folder, 'below', 'x.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the journal of an import', () => {
  test('tells of the chunks that were acknowledged', () => {
    startJournal(path, head)
    noteInJournal(path, chunk(1))
    noteInJournal(path, chunk(2))
    expect(readJournal(path)).toMatchObject({ head, chunks: [chunk(1), chunk(2)], isDone: false })
    noteInJournal(path, { done: true, ended_at: '2026-05-01T01:00:00.000Z' })
    expect(readJournal(path)).toMatchObject({ isDone: true, endedAt: '2026-05-01T01:00:00.000Z' })
  })

  test('a line that was cut off counts for nothing, and what is noted after it counts', () => {
    startJournal(path, head)
    noteInJournal(path, chunk(1))
    appendFileSync(path, '\n{"chunk":2,"crea')
    expect(readJournal(path)?.chunks).toEqual([chunk(1)])
    noteInJournal(path, chunk(2))
    expect(readJournal(path)?.chunks).toEqual([chunk(1), chunk(2)])
  })

  test('is begun anew by a new import', () => {
    startJournal(path, head)
    noteInJournal(path, chunk(1))
    startJournal(path, { ...head, key: 'import-2' })
    expect(readJournal(path)).toMatchObject({ head: { key: 'import-2' }, chunks: [] })
  })

  test('that is older than a month is dropped when another begins; that of a whole import after 400 days', () => {
    startJournal(path, head)
    utimesSync(path, new Date('2026-03-30'), new Date('2026-03-30'))
    for (const [name, day] of [
      ['w.jsonl', '2025-03-26'],
      ['x-done.jsonl', '2025-03-28'],
    ] as const) {
      const done = join(folder, 'below', name)
      writeFileSync(done, `${JSON.stringify(head)}\n{"done":true}\n`)
      utimesSync(done, new Date(day), new Date(day))
    }
    startJournal(join(folder, 'below', 'y.jsonl'), head)
    expect(readdirSync(join(folder, 'below'))).toEqual(['x-done.jsonl', 'y.jsonl'])
  })

  test('is no journal where there is none or it is damaged', () => {
    expect(readJournal(path)).toBeUndefined()
    startJournal(path, head)
    writeFileSync(path, 'nonsense\n')
    expect(readJournal(path)).toBeUndefined()
  })
})
