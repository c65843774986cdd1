import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startCheckpointer } from '../../src/store/sqlite/sqlite-checkpointer.ts'

const longLog = 100

test('a long log is told of, and the writer can copy what is left of it and begin it anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
  const file = join(folder, 'a.db')
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (text text)')
  const insert = db.prepare('insert into t values (?)')
  const copy = db.prepare('pragma wal_checkpoint(passive)')
  let checkpointer: ReturnType<typeof startCheckpointer> | undefined
  const copied = await new Promise((resolve) => {
    const onLongLog = () => resolve(copy.get())
    checkpointer = startCheckpointer(file, { onLongLog, onDeath: () => {} }, { everyMs: 1, longLog })
    for (let row = 0; row < longLog; row++) insert.run('x')
  })
  expect(copied).toMatchObject({ busy: 0 })
  const { log, checkpointed } = copied as { log: number; checkpointed: number }
  expect(log).toBeGreaterThan(longLog)
  expect(checkpointed).toBe(log)
  insert.run('x')
  expect(copy.get()).toMatchObject({ log: 1 })
  await (await checkpointer)?.stop()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
