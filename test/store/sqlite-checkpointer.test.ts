import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startCheckpointer } from '../../src/store/sqlite/sqlite-checkpointer.ts'

const longLog = 100

test('a long log is reported, the thread copies the rest, and the writer starts it again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
  const file = join(folder, 'a.db')
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (text text)')
  const insert = db.prepare('insert into t values (?)')
  const logged = (): number => statSync(`${file}-wal`).size
  const told = Promise.withResolvers<void>()
  const watcher = { onLongLog: told.resolve, onDeath: () => {} }
  const checkpointer = await startCheckpointer(file, watcher, { everyMs: 1, longLog })
  for (let row = 0; row < longLog; row++) insert.run('x')
  await told.promise
  insert.run('written since the last copy')
  const before = logged()
  await checkpointer.copy()
  insert.run('the first of the restarted log')
  expect(logged()).toBe(before)
  expect(db.prepare('pragma wal_checkpoint(passive)').get()).toMatchObject({ busy: 0, log: 1 })
  await checkpointer.stop()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(process.platform === 'linux')('the end of the thread drops no lock of the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
  const file = join(folder, 'a.db')
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; create table t (text text)')
  const { ino } = statSync(file)
  const locks = () => readFileSync('/proc/locks', 'utf8').match(new RegExp(`READ .*:${ino} `, 'g'))
  expect(locks()).toHaveLength(1)
  const checkpointer = await startCheckpointer(file, { onLongLog() {}, onDeath() {} })
  await checkpointer.copy()
  await checkpointer.stop()
  expect(locks()).toHaveLength(1)
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
