import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { examineDatabase } from '../../src/cli/database/examine.ts'
import { sql, type Tx } from '../../src/store/database.ts'
import { adviceOn } from '../../src/store/maintenance/advice.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openPostgres, type PgDatabase, type PgOptions } from '../../src/store/postgres/pg.ts'
import { ensureSearchIndex, widenSearchIndex } from '../../src/store/postgres/pg-search.ts'
import { readVersion, schemaVersion } from '../../src/store/schema-version.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { untilWaitedFor } from '../support/row-waits.ts'

describe('migrating PostgreSQL', () => {
  test('is done by one of six processes that find the same empty database, and all see it done', async () => {
    const schema = await makeSchema()
    const open = () => openPostgres(inSchema(schema), { poolSize: 1 })
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(open))
    const applied = await Promise.all(all.map((db) => migrate(db)))
    const versions = Array.from({ length: schemaVersion }, (_, i) => i + 1)
    expect(applied.flat().sort((a, b) => a - b)).toEqual(versions)
    expect(await Promise.all(all.map((db) => readVersion(db)))).toEqual(all.map(() => schemaVersion))
    await Promise.all(all.map((db) => db.close()))
  })

  test("waits for another process's migration and search index as long as they take", async () => {
    const schema = await makeSchema()
    const open = (how: PgOptions) => openPostgres(inSchema(schema), { ...how })
    const [other, db] = await Promise.all([open({}), open({ poolSize: 1, waitMs: 1 })])
    await migrate(other)
    await other.pool.query(
      `delete from schema_version where version = ${schemaVersion}; drop index items_by_text`,
    )
    let migrating: Promise<number[]> = Promise.resolve([])
    await other.write(async (tx) => {
      const applied_at = new Date().toISOString()
      await tx.run(
        sql`insert into schema_version (version, applied_at) values (${schemaVersion}, ${applied_at})`,
      )
      migrating = migrate(db)
      await Promise.race([migrating, untilWaitedFor(other, tx)])
    })
    expect(await migrating).toEqual([])
    await other.pool.query('drop index items_by_text')
    let word: Promise<string | undefined> = Promise.resolve('')
    await other.write(async (tx) => {
      await tx.run(sql`lock table items in share row exclusive mode`)
      word = ensureSearchIndex(db)
      await Promise.race([word, untilWaitedFor(other, tx)])
    })
    expect(await word).toBeUndefined()
    await Promise.all([other.close(), db.close()])
  })

  test('gives up a slow statement unless it changes the schema', async () => {
    const schema = await makeSchema()
    const open = () => openPostgres(inSchema(schema), { awayMs: 0 })
    const [db, own] = await Promise.all([open(), open()])
    await db.pool.query('create table sums (n bigint not null); insert into sums values (0)')
    const bump = (tx: Tx) => tx.run(sql`update sums set n = n + 1`)
    Object.assign(own.pool.options, { query_timeout: 500 })
    let patient: Promise<number> = Promise.resolve(0)
    await db.write(async (tx) => {
      await bump(tx)
      patient = own.write((tx) => bump(tx), { patient: true })
      await untilWaitedFor(db, tx)
      await expect(own.write((tx) => bump(tx), { lane: 1 })).rejects.toMatchObject({ fault: 'unreachable' })
    })
    expect(await patient).toBe(1)
    await Promise.all([db.close(), own.close()])
  })

  test('rejects a database that cannot hold every name, and says how to create one that can', async () => {
    const url = new URL(inject('postgresUrl'))
    const name = `${await makeSchema()}_latin`
    const admin = await openPostgres(url.href, { poolSize: 1 })
    await admin.pool.query(
      `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    )
    const db = await openPostgres(Object.assign(url, { pathname: `/${name}` }).href, { poolSize: 1 })
    await expect(migrate(db)).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringMatching(/^The database stores text as LATIN1, .*encoding 'UTF8'$/),
    })
    expect(await readVersion(db)).toBe(0)
    await expect(examineDatabase(url.href, 'Sandbox', 'sandbox')).rejects.toThrow('stores text as LATIN1')
    await db.close()
    await admin.pool.query(`drop database ${name} with (force)`)
    await admin.close()
  })

  test.each([
    ['items', 'id bigint', 'not custody’s (relation "items" already exists)'],
    [
      'schema_version',
      'version bigint primary key, applied_at text',
      'table schema_version is not custody’s',
    ],
  ])(
    'rejects a database with another program’s %s, and leaves it unchanged',
    async (table, columns, what) => {
      const db = await openPostgres(inSchema(await makeSchema()), { poolSize: 1 })
      await db.pool.query(`create table ${table} (${columns})`)
      await expect(migrate(db)).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining(what),
      })
      const { rows } = await db.pool.query(
        'select tablename from pg_tables where schemaname = current_schema()',
      )
      expect(rows).toEqual([{ tablename: table }])
      await db.close()
    },
  )

  test('leaves search without an index if the extension is not allowed, and tells the operator what to do', async () => {
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
    const db = await openPostgres(inSchema(schema, limited.href), { poolSize: 1 })
    await migrate(db)
    const word = await ensureSearchIndex(db)
    expect(word).toMatch(
      /^The extension pg_trgm could not be created \(permission denied .*"create extension pg_trgm; create extension btree_gin"/,
    )
    await owner.pool.query('create extension pg_trgm')
    await owner.pool.query(`alter table ${schema}.items owner to current_user`)
    expect(await ensureSearchIndex(db)).toMatch(
      /could not be created \(must be owner of table items\).*Have the owner/,
    )
    await owner.pool.query(`alter table ${schema}.items owner to ${schema}`)
    expect(await ensureSearchIndex(db)).toBeUndefined()
    const { rows } = await db.pool.query(`select indexdef from pg_indexes where indexname = 'items_by_text'`)
    expect(rows[0]?.indexdef).toContain('USING gin (search_text')
    expect(await widenSearchIndex(db)).toBeUndefined()
    await owner.pool.query(`create extension btree_gin; alter table ${schema}.items owner to current_user`)
    expect(await widenSearchIndex(db)).toMatch(/must be owner of .*Have the owner/)
    await owner.pool.query(`alter table ${schema}.items owner to ${schema}`)
    expect(await widenSearchIndex(db)).toBeUndefined()
    const { rows: widened } = await db.pool.query(
      `select indexname, indexdef from pg_indexes where indexname like 'items_by_text%'`,
    )
    expect(widened).toEqual([
      { indexname: 'items_by_text', indexdef: expect.stringContaining('USING gin (scope_id, search_text') },
    ])
    await Promise.all([db.close(), owner.close()])
    await admin.pool.query(`drop database ${name} with (force)`)
    await admin.pool.query(`drop role ${schema}`)
    await admin.close()
  })
})

describe('a migrated PostgreSQL', () => {
  let db: PgDatabase
  beforeAll(async () => {
    db = await openPostgres(inSchema(await makeSchema()), { poolSize: 1 })
    await migrate(db)
  })
  afterAll(() => db.close())

  test('orders every text by its bytes', async () => {
    const { rows } = await db.pool.query(
      `select table_name, column_name from information_schema.columns
       where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
         and table_name <> 'schema_version'`,
    )
    expect(rows).toEqual([])
  })

  test('has nothing that a sharding engine lacks: triggers, sequences, procedures', async () => {
    const { rows } = await db.pool.query(
      `select tgname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
         where c.relnamespace = current_schema()::regnamespace and not tgisinternal
       union all select relname::text from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'
       union all select p.proname::text from pg_proc p
         where pronamespace = current_schema()::regnamespace
           and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
    expect(rows).toEqual([])
  })

  test('ends an idle transaction, so nobody waits forever', async () => {
    const limits = sql`select current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('lock_timeout') as lock`
    expect((await db.pool.query(limits.text)).rows).toEqual([{ idle: '1min', lock: '30s' }])
    // Like a pooler that gives the transaction another server connection.
    await db.pool.query('set idle_in_transaction_session_timeout = 0; set lock_timeout = 0')
    expect(await db.write((tx) => tx.get(limits))).toEqual({ idle: '1min', lock: '30s' })
    await db.pool.query('reset idle_in_transaction_session_timeout; reset lock_timeout')
  })

  test('warns about a server that may lose acknowledged writes', async () => {
    await db.pool.query('set synchronous_commit = off')
    expect((await adviceOn(db)).join()).toMatch(
      /has .*synchronous_commit off: it may lose acknowledged writes/,
    )
  })
})
