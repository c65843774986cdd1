import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forEachTest(operatorWith())

async function expectRejected(args: readonly string[], message: string): Promise<void> {
  const { exitCode, stdout, stderr } = await operator.run(args)
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect([exitCode, stdout]).toEqual([8, ''])
}

describe('an unusable database', () => {
  test('a file that is not a database is rejected', async () => {
    writeFileSync(operator.path('notes.txt'), 'not a database, but long enough to be looked at '.repeat(50))
    await expectRejected(['items', 'ls', '--database', 'notes.txt'], 'notes.txt is not a custody database.')
    expect(operator.read('notes.txt')).toContain('not a database')
  })

  test('damaged pages are reported', async () => {
    const db = new DatabaseSync(operator.database)
    db.exec('pragma wal_checkpoint(truncate)')
    db.close()
    const bytes = Buffer.alloc(4096 * 40, 0x5a)
    const { openSync, writeSync, closeSync } = await import('node:fs')
    const file = openSync(operator.database, 'r+')
    writeSync(file, bytes, 0, bytes.length, 4096)
    closeSync(file)
    await expectRejected(['items', 'ls'], 'restore it from a backup')
  })

  test('a lock that outlasts the wait of a writer stops writes, and reads work', async () => {
    const db = new DatabaseSync(operator.database)
    db.exec('begin immediate')
    expect((await operator.run(['items', 'summary'])).exitCode).toBe(0)
    await expectRejected(
      ['sandbox', 'clock', '--advance', '1d', '--max-wait', '1s'],
      'is locked by another process',
    )
    db.exec('rollback')
    db.close()
    expect((await operator.json<{ offset_seconds: number }>(['sandbox', 'clock'])).offset_seconds).toBe(0)
  })
})

describe('errors in JSON mode', () => {
  test('are one object on stderr, with the exit code', async () => {
    const { exitCode, stdout, stderr } = await operator.run(['items', 'show', 'Q-7F3K-9M2P-X4T0', '--json'])
    expect(JSON.parse(stderr)).toEqual({
      code: 'not_found',
      message: 'No such resource.',
      extra: {},
      exit_code: 4,
      hint: 'Check the identifier Q-7F3K-9M2P-X4T0, and that it belongs to this target.',
      request_id: expect.any(String),
    })
    expect([exitCode, stdout]).toEqual([4, ''])
  })
})

test('follow the requests and answers that --debug shows with their request id', async () => {
  const { stderr } = await operator.run(['items', 'summary', '--debug'])
  expect(stderr).toMatch(
    /^> GET \/items\/summary\n[\s\S]*< 200 after \d+ ms\n[\s\S]*< x-request-id: [\w-]+\n/,
  )
})

describe('db backup, check, and stats', () => {
  test('a backup is a sound database with the same content and never replaces a file', async () => {
    const made = await operator.run(['db', 'backup', 'copy.db'])
    expect([made.exitCode, made.stdout, made.stderr]).toEqual([
      0,
      expect.stringMatching(/^copy\.db: \d+\.\d MB of .*\/sandbox\.db, checked\n$/),
      '',
    ])
    const checked = await operator.run(['db', 'check', '--database', 'copy.db'])
    expect([checked.exitCode, checked.stderr]).toEqual([0, expect.stringContaining('all is well in 1 scope')])
    const copied = await operator.run(['items', 'ls', '--all', '--json', '--database', 'copy.db'])
    expect(copied.stdout).toBe((await operator.run(['items', 'ls', '--all', '--json'])).stdout)
    const again = await operator.run(['db', 'backup', 'copy.db'])
    expect([again.exitCode, again.stdout, again.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('copy.db already exists; it is not overwritten. Name a file'),
    ])
    await expectRejected(['db', 'backup', 'other.db', '--database', 'none.db'], 'none.db does not exist.')
  })

  test('a check lists what disagrees, and exits 9', async () => {
    const db = new DatabaseSync(operator.database)
    db.exec("update counts set n = n + 1 where kind = 'products'; delete from events where seq = 2")
    db.close()
    const { exitCode, stdout, stderr } = await operator.run(['db', 'check', '--json'])
    const findings = JSON.parse(stdout) as Array<{ table: string; problem: string }>
    const miscount = expect.objectContaining({
      table: 'counts',
      problem: expect.stringMatching(/^\d+ stored, \d+ counted$/),
    })
    expect(findings).toEqual([
      miscount,
      miscount,
      expect.objectContaining({ table: 'events', problem: 'follows 1: events are missing' }),
    ])
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('3 values do not agree')])
    expect(stderr).not.toContain('-wal')
  })

  test("a check next to another file's log changes neither, and says which files to move", async () => {
    const file = operator.path('sound.db')
    const log = `${file}-wal`
    copyFileSync(operator.database, file)
    const db = new DatabaseSync(file)
    db.exec('create table other (a)')
    const old = readFileSync(log)
    db.close()
    const grown = new DatabaseSync(file)
    grown.exec('drop table other; create table more (a); vacuum')
    grown.exec('drop table more; pragma wal_checkpoint(truncate)')
    grown.close()
    writeFileSync(log, old)
    const [before, args] = [readFileSync(file), ['db', 'check', '--database', file]]
    // In a terminal, another thread reads the file.
    const terminal = `--require "${join(root, 'test', 'support', 'pretend-terminal.cjs')}"`
    for (const env of [{}, { NODE_OPTIONS: terminal, COLUMNS: '500' }]) {
      const { exitCode, stderr } = await operator.run(args, { env })
      expect([exitCode, stderr]).toEqual([
        8,
        expect.stringContaining(`move ${log} and ${file}-shm to another folder;`),
      ])
      expect([readFileSync(file).equals(before), readFileSync(log).equals(old)]).toEqual([true, true])
    }
    expect((await operator.run(['doctor', '--database', file])).exitCode).toBe(8)
    expect([readFileSync(file).equals(before), readFileSync(log).equals(old)]).toEqual([true, true])
    for (const end of ['-wal', '-shm']) renameSync(file + end, `${file}.moved${end}`)
    expect((await operator.run(args)).exitCode).toBe(0)
  })

  test('stats agree with the lists', async () => {
    const [stats, ...others] = await operator.json<Array<Record<string, unknown>>>(['db', 'stats'])
    const db = new DatabaseSync(operator.database)
    const count = (table: string) => db.prepare(`select count(*) as n from ${table}`).get()?.n
    const counted = ['items', 'products', 'manifests', 'fulfillments', 'transfers', 'events'].map((table) => [
      table,
      count(table),
    ])
    db.close()
    expect(stats).toMatchObject({
      partner: 'Sandbox',
      environment: 'sandbox',
      subscriptions: 0,
      deliveries_pending: 0,
      ...Object.fromEntries(counted),
    })
    expect(others).toEqual([])
  })
})
