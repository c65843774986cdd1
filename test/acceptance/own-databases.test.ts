import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { onBadMachine } from '../support/bad-machine.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forEachTest(operatorWith('empty'))

describe('a database created by the first command', () => {
  const make = ['sandbox', 'seed', '--database', 'new.db']

  test('does not exist if the disk has no room for all of it', async () => {
    const { exitCode, stderr } = await operator.run(make, { env: onBadMachine({ fullDisk: true }) })
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('Cannot create')])
    expect(databases()).toEqual(['sandbox.db'])
  })

  test("is not created next to another database's log", async () => {
    operator.write('new.db-wal', 'old')
    const { exitCode, stderr } = await operator.run(make)
    expect([exitCode, stderr]).toEqual([
      8,
      expect.stringContaining('new.db-wal is left over from another database'),
    ])
    expect(databases()).toEqual(['new.db-wal', 'sandbox.db'])
  })
})

test('a killed sandbox reset leaves the old database or the new one', async () => {
  await operator.run(['manifests', 'submit', '-', '--reference', 'PO-7'], {
    input: 'description\nA holder\n',
  })
  const found: string[] = []
  for (const call of ['openSync wx', 'renameSync', 'none']) {
    const env = onBadMachine({ call, path: 'sandbox.db', how: 'SIGKILL' })
    await operator.run(['sandbox', 'reset', '--no-seed', '--yes'], { env })
    const { stdout } = await operator.run(['manifests', 'ls', '--columns', 'reference', '--no-header'])
    found.push(stdout)
  }
  expect(found).toEqual(['PO-7\n', 'PO-7\n', ''])
  expect(databases()).toEqual(['sandbox.db'])
})

test('a database of other partners gains none from a read, a write, or a rejected reset', async () => {
  const place = ['--database', 'live.db']
  const create = ['admin', 'partners', 'create', 'Northgate Cards', ...place]
  for (const args of [['db', 'migrate', ...place], create]) await operator.run(args)
  const attempts = [
    ['items', 'ls'],
    ['products', 'import', operator.fixture('catalog.csv')],
    ['sandbox', 'seed'],
    ['sandbox', 'reset', '--yes'],
    ['doctor'],
    ['init', '--name', 'own'],
  ].map((args) => operator.run([...args, ...place]))
  const ended = (await Promise.all(attempts)).map(({ exitCode, stdout, stderr }) => [
    exitCode,
    stdout + stderr,
  ])
  const unknown = [4, expect.stringContaining('live.db has no partner named Sandbox. List its partners with')]
  expect(ended).toEqual([
    unknown,
    unknown,
    unknown,
    [5, expect.stringContaining('live.db contains more than the sandbox')],
    unknown,
    unknown,
  ])
  const names = ['admin', 'partners', 'ls', '--columns', 'name', '--no-header', ...place]
  expect((await operator.run(names)).stdout).toBe('Northgate Cards\n')
})

test.each([
  ['deleted', 'sandbox reset --yes'],
  ['extended by a list', 'items ls'],
  ['extended by a service', 'serve --port 0'],
  ['called sound', 'doctor'],
])('a database of another program is not %s', async (_, command) => {
  const other = new DatabaseSync(operator.path('other.db'))
  other.exec('create table if not exists songs (name text)')
  const { exitCode, stdout, stderr } = await operator.run([...command.split(' '), '--database', 'other.db'])
  expect([exitCode, stdout + stderr]).toEqual([
    8,
    expect.stringContaining('The table songs is not custody’s'),
  ])
  expect(other.prepare('select name from sqlite_master').all()).toEqual([{ name: 'songs' }])
  other.close()
})

test('a file whose only tables are those that SQLite keeps for itself is empty', async () => {
  const empty = new DatabaseSync(operator.path('empty.db'))
  empty.exec('create table songs (name text); analyze; drop table songs')
  empty.close()
  const { exitCode, stderr } = await operator.run(['items', 'ls', '--database', 'empty.db'])
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('none found')])
})

test('a database of a newer version exits 5 from every command, because waiting does not help', async () => {
  await operator.run(['manifests', 'ls'])
  const db = new DatabaseSync(operator.database)
  db.exec("insert into schema_version (version, applied_at) values (999, '')")
  db.close()
  const newer = 'version 999, but this version of custody'
  for (const args of [
    ['items', 'ls'],
    ['db', 'migrate'],
    ['db', 'check'],
    ['admin', 'partners', 'ls'],
    ['serve', '--port', '0'],
    ['doctor'],
  ]) {
    const { exitCode, stdout, stderr } = await operator.run(args)
    expect([exitCode, stdout + stderr]).toEqual([5, expect.stringContaining(newer)])
  }
  const copied = await operator.run(['db', 'copy', '--from', operator.database, '--to', 'copied.db'])
  const named = `${operator.database} has schema ${newer}`
  expect([copied.exitCode, copied.stderr]).toEqual([5, expect.stringContaining(named)])
})

test('a failed db copy leaves no half copy, even on a full disk', async () => {
  const copy = ['db', 'copy', '--from', 'sandbox.db', '--to', 'new.db']
  const nobody = await operator.run([...copy, '--partner', 'Nobody'])
  // A file that may not grow behaves like a full disk.
  const limited = ['-c', 'trap "" XFSZ; ulimit -f 100; exec "$@"', 'sh', process.execPath]
  const { exitCode, stderr } = await execa('sh', [...limited, join(root, 'bin', 'custody.js'), ...copy], {
    cwd: operator.folder,
    env: { HOME: operator.folder },
    reject: false,
  })
  expect([nobody.exitCode, exitCode, stderr]).toEqual([4, 8, expect.stringMatching(/new\.db .*disk/)])
  expect(databases()).toEqual(['sandbox.db'])
})

describe('db backup', () => {
  test('leaves nothing behind if it is interrupted', async () => {
    const env = onBadMachine({ call: 'openSync wx', path: '.tmp', how: 'SIGINT' })
    const { signal } = await operator.start(['db', 'backup', 'copy.db'], { env })
    const copies = databases().filter((name) => name.startsWith('copy'))
    expect([signal, copies]).toEqual(['SIGINT', []])
  })

  test('exits 8 and leaves nothing behind on a full or read-only disk', async () => {
    const env = onBadMachine({ call: 'fsyncSync', path: '.tmp', how: 'ENOSPC' })
    const { exitCode, stderr } = await operator.run(['db', 'backup', 'copy.db'], { env })
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('no space is left on the disk.')])
    expect(databases()).toEqual(['sandbox.db'])
  })
})

function databases(): string[] {
  return readdirSync(operator.folder).filter((name) => name.includes('.db'))
}
