import { describe, expect, inject, test } from 'vitest'
import { migrate, readVersion, schemaVersion } from '../../src/store/migrate.ts'
import { openPostgres } from '../../src/store/pg.ts'
import { ensureSearchIndex } from '../../src/store/pg-search.ts'
import { makeSchema } from '../support/postgres-schema.ts'

describe('migrating PostgreSQL', () => {
  test('of six processes that migrate an empty database at once one does it, all find it done', async () => {
    const schema = await makeSchema()
    const open = () => openPostgres(inject('postgresUrl'), { schema, poolSize: 1 })
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(open))
    const applied = await Promise.all(all.map((db) => migrate(db)))
    const versions = Array.from({ length: schemaVersion }, (_, i) => i + 1)
    expect(applied.flat().sort()).toEqual(versions)
    expect(await Promise.all(all.map((db) => readVersion(db)))).toEqual(all.map(() => schemaVersion))
    await Promise.all(all.map((db) => db.close()))
  })

  test('every text is kept in the order of its bytes', async () => {
    const db = await openPostgres(inject('postgresUrl'), { schema: await makeSchema(), poolSize: 1 })
    await migrate(db)
    const { rows } = await db.pool.query(
      `select table_name, column_name from information_schema.columns
       where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
         and table_name <> 'schema_version'`,
    )
    expect(rows).toEqual([])
    await db.close()
  })

  test('without the right to make the extension search has no index, and the operator is told what to do', async () => {
    const schema = await makeSchema()
    const url = new URL(inject('postgresUrl'))
    const name = `${schema}_db`
    const admin = await openPostgres(url.href, { poolSize: 1 })
    await admin.pool.query(`create role ${schema} login password 'weak'`)
    await admin.pool.query(`create database ${name} template template0 encoding 'UTF8'`)
    Object.assign(url, { pathname: `/${name}` })
    const owner = await openPostgres(url.href, { poolSize: 1 })
    await owner.pool.query(`create schema ${schema} authorization ${schema}`)
    const limited = new URL(url)
    Object.assign(limited, { username: schema, password: 'weak' })
    const db = await openPostgres(limited.href, { schema, poolSize: 1 })
    await migrate(db)
    const word = await ensureSearchIndex(db)
    expect(word).toMatch(
      /^The extension pg_trgm could not be created \(permission denied .*create extension pg_trgm/,
    )
    await owner.pool.query('create extension pg_trgm')
    expect(await ensureSearchIndex(db)).toBeUndefined()
    const { rows } = await db.pool.query(`select indexdef from pg_indexes where indexname = 'items_by_text'`)
    expect(rows[0]?.indexdef).toContain('USING gin (search_text')
    await Promise.all([db.close(), owner.close()])
    await admin.pool.query(`drop database ${name} with (force)`)
    await admin.pool.query(`drop role ${schema}`)
    await admin.close()
  })
})
