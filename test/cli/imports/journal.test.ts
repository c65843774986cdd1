import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noteInJournal, readJournal, startJournal } from '../../../src/cli/imports/journal/journal.ts'
import { notesInJournal, notesOverJournal } from '../../../src/cli/imports/journal/journal-notes.ts'
import { keepUnanswered } from '../../../src/cli/imports/journal/unanswered.ts'
import { failingAt } from '../../support/failing-files.ts'

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

  test('goes as far as no chunk is missing: what follows a lost line is done again, under its key', () => {
    startJournal(path, head)
    noteInJournal(path, chunk(1), chunk(3))
    expect(readJournal(path)?.chunks).toEqual([chunk(1)])
  })

  test('is begun anew by a new import', () => {
    startJournal(path, head)
    noteInJournal(path, chunk(1))
    startJournal(path, { ...head, key: 'import-2' })
    expect(readJournal(path)).toMatchObject({ head: { key: 'import-2' }, chunks: [] })
  })

  test('is the old one or the new one wherever the process dies that begins it anew: its key stands nowhere else', () => {
    for (let at = 1, isReached = true; isReached; at++) {
      startJournal(path, head)
      noteInJournal(path, chunk(1), chunk(2))
      isReached = failingAt(at, 'dies', () => startJournal(path, { ...head, errors_file: 'b' }, [chunk(1)]))
      expect(readJournal(path)?.head.key).toBe('import-1')
      expect(readJournal(path)?.chunks[0]).toEqual(chunk(1))
    }
  })

  test('that cannot be written is told of once, and has everything as soon as it can be', () => {
    const notices: string[] = []
    startJournal(path, head)
    const notes = notesInJournal(path, (text) => notices.push(text))
    for (const number of [1, 2]) failingAt(1, 'ENOSPC', () => notes.chunk(chunk(number), true))
    expect([readJournal(path)?.chunks, notices]).toEqual([
      [],
      [expect.stringContaining('(no space is left on the disk): what was sent is not remembered there')],
    ])
    notes.end(0, undefined)
    expect(readJournal(path)).toMatchObject({ chunks: [chunk(1), chunk(2)], isDone: true })
  })

  test('of results that an earlier run has noted is begun anew only with a chunk that is new', () => {
    startJournal(path, head)
    noteInJournal(path, { ...chunk(1), at: '2026-05-01T00:00:01.000Z' })
    const notes = notesOverJournal(
      path,
      { ...head, key: 'import-2' },
      [{ ...chunk(1), at: 'then' }],
      () => {},
    )
    notes.chunk(chunk(1), false)
    expect(readJournal(path)?.head.key).toBe('import-1')
    failingAt(1, 'EROFS', () => notes.chunk(chunk(2), true))
    expect(readJournal(path)?.head.key).toBe('import-1')
    notes.chunk(chunk(3), true)
    expect(readJournal(path)).toMatchObject({
      head: { key: 'import-2' },
      chunks: [{ ...chunk(1), at: 'then' }, chunk(2), chunk(3)],
    })
  })

  test('that is older than a month is dropped when another begins; that of a whole import, and orders of which no answer came, after 400 days', () => {
    startJournal(path, head)
    utimesSync(path, new Date('2026-03-30'), new Date('2026-03-30'))
    const unanswered = { head, chunk: 1, key: 'import-1', upload: Buffer.from('sku\n') }
    for (const [name, day] of [
      ['w', '2025-03-26'],
      ['x-done', '2025-03-28'],
    ] as const) {
      const done = join(folder, 'below', `${name}.jsonl`)
      writeFileSync(done, `${JSON.stringify(head)}\n{"done":true}\n`)
      keepUnanswered(done, unanswered)
      for (const file of [done, join(folder, 'below', `${name}.unanswered`)])
        utimesSync(file, new Date(day), new Date(day))
    }
    startJournal(join(folder, 'below', 'y.jsonl'), head)
    expect(readdirSync(join(folder, 'below'))).toEqual(['x-done.jsonl', 'x-done.unanswered', 'y.jsonl'])
  })

  test('is no journal where there is none or it is damaged', () => {
    expect(readJournal(path)).toBeUndefined()
    startJournal(path, head)
    writeFileSync(path, 'nonsense\n')
    expect(readJournal(path)).toBeUndefined()
  })
})
