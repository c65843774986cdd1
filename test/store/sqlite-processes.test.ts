import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaNode } from 'execa'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { inScope } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { readVersion, schemaVersion } from '../../src/store/schema-version.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { bumpCounts, readCount } from '../../src/store/tables/counts.ts'

const script = join(inject('made'), 'sqlite-process.mjs')

describe('several processes over one SQLite file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'custody-sqlite-'))
    file = join(folder, 'custody.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const start = (...args: string[]) =>
    execaNode(script, [file, ...args], {
      nodeOptions: [],
      ipc: false,
      reject: false,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const added = async (): Promise<number> => {
    const db = openSqlite(file)
    const n = await db.read((tx) => readCount(inScope(tx, 1), 'products', 'added'))
    await db.close()
    return n
  }

  test('create a missing file once, and lose no write of each other (five processes)', async () => {
    const codes = await Promise.all([1, 2, 3, 4, 5].map(async () => (await start('add', '20')).exitCode))
    expect(codes).toEqual([0, 0, 0, 0, 0])
    expect(await added()).toBe(100)
    const db = openSqlite(file)
    expect(await readVersion(db)).toBe(schemaVersion)
    await db.close()
  })

  test('survive one killed in the middle of a write, which leaves the old state and blocks nobody', async () => {
    const db = openSqlite(file)
    await migrate(db)
    await db.write((tx) => bumpCounts(inScope(tx, 1), [{ kind: 'products', key: 'added', by: 1 }]))
    const holder = start('hold')
    await once(holder.stdout, 'data')
    const writing = db.write((tx) => bumpCounts(inScope(tx, 1), [{ kind: 'products', key: 'added', by: 1 }]))
    holder.kill('SIGKILL')
    await writing
    expect(await added()).toBe(2)
    await db.close()
  })
})
