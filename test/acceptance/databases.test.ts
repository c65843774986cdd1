import { mkdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

beforeEach(async () => {
  operator = await newOperator()
})
afterEach(() => operator.leave())

/** One clear line, no stack: exit 8. */
async function refused(args: readonly string[], message: string): Promise<void> {
  const { exitCode, stdout, stderr } = await operator.run(args)
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect([exitCode, stdout]).toEqual([8, ''])
}

describe('a database that cannot be used', () => {
  test('a directory in its place', async () => {
    mkdirSync(operator.path('folder'))
    await refused(
      ['items', 'ls', '--database', 'folder'],
      'is a directory; give the path of a database file.',
    )
  })

  test('a file that is no database', async () => {
    writeFileSync(operator.path('notes.txt'), 'not a database, but long enough to be looked at '.repeat(50))
    await refused(['items', 'ls', '--database', 'notes.txt'], 'notes.txt is not a custody database.')
    expect(operator.read('notes.txt')).toContain('not a database')
  })

  test('a folder that cannot be made', async () => {
    operator.write('file', '')
    await refused(['items', 'ls', '--database', 'file/sandbox.db'], 'file')
  })

  test('the schema of a newer version', async () => {
    const db = new DatabaseSync(operator.database)
    db.exec("insert into schema_version (version, applied_at) values (999, '2099-01-01T00:00:00.000Z')")
    db.close()
    await refused(['items', 'ls'], 'Install the newer custody.')
  })

  test('damaged pages', async () => {
    const db = new DatabaseSync(operator.database)
    db.exec('pragma wal_checkpoint(truncate)')
    db.close()
    const bytes = Buffer.alloc(4096 * 40, 0x5a)
    const { openSync, writeSync, closeSync } = await import('node:fs')
    const file = openSync(operator.database, 'r+')
    writeSync(file, bytes, 0, bytes.length, 4096)
    closeSync(file)
    await refused(['items', 'ls'], 'is damaged: restore it from a backup')
  })

  test('locked by another process for longer than a writer waits, nothing is written; reading goes on', async () => {
    const db = new DatabaseSync(operator.database)
    db.exec('begin immediate')
    expect((await operator.run(['items', 'summary'])).exitCode).toBe(0)
    await refused(['sandbox', 'clock', '--advance', '1d', '--max-wait', '1s'], 'is locked by another process')
    db.exec('rollback')
    db.close()
    expect((await operator.json<{ offset_seconds: number }>(['sandbox', 'clock'])).offset_seconds).toBe(0)
  })
})

describe('errors in JSON mode', () => {
  test('are one object on stderr, with the exit code', async () => {
    const { exitCode, stdout, stderr } = await operator.run(['items', 'show', 'Q-NOPE', '--json'])
    expect(JSON.parse(stderr)).toEqual({
      code: 'not_found',
      message: 'No such resource.',
      extra: {},
      exit_code: 4,
      hint: 'Check the identifier, and that it belongs to this target.',
      request_id: expect.any(String),
    })
    expect([exitCode, stdout]).toEqual([4, ''])
  })

  test('wrong usage too', async () => {
    const { stderr } = await operator.run(['items', 'ls', '--statsu', 'x', '-o', 'ndjson'])
    expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', exit_code: 2, hint: 'Did you mean --status?' })
  })

  test('every faulty field is named, in the last line', async () => {
    const { stderr } = await operator.run(['transfers', 'request', ...Array(1001).fill('Q-1'), '--json'])
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'validation_error',
      exit_code: 6,
      extra: { fields: { qids: [expect.any(String)] } },
    })
  })
})

test('--debug shows requests and replies with the request id', async () => {
  const { stderr } = await operator.run(['items', 'summary', '--debug'])
  expect(stderr).toMatch(
    /^> GET \/items\/summary\n[\s\S]*< 200 after \d+ ms\n[\s\S]*< x-request-id: [\w-]+\n/,
  )
})
