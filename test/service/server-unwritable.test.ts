import { describe, expect, inject, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { type RunningServer, startServer } from '../../src/service/http/server.ts'
import { createLog } from '../../src/service/observe/log.ts'
import { type Database, StoreError, sql } from '../../src/store/database.ts'
import { isWell } from '../../src/store/maintenance/health.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { schemaVersion } from '../../src/store/schema-version.ts'
import { takeLease } from '../../src/store/tables/leases.ts'
import { manualTimers } from '../support/manual-timers.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'

describe('a service over a read-only PostgreSQL', () => {
  const start = (db: Database): Promise<RunningServer> =>
    startServer({
      db,
      environment: 'sandbox',
      sources: {
        clock: () => Date.now(),
        uptime: () => performance.now(),
        random: (bytes) => Buffer.alloc(bytes),
      },
      settings: defaultSettings,
      log: createLog({ write: () => {} }),
      host: '127.0.0.1',
      port: 0,
      idempotencyMs: 86_400_000,
      timers: manualTimers(),
    })

  test('does not start if the server accepts no writes, and such a database is unhealthy', async () => {
    const schema = await makeSchema()
    const url = new URL(inject('postgresUrl'))
    const db = await openPostgres(inSchema(schema, url.href), { poolSize: 1 })
    await migrate(db)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const closed = await openPostgres(inSchema(schema, url.href), { poolSize: 1 })
    await expect(start(closed)).rejects.toMatchObject({
      fault: 'read_only',
      message: expect.stringMatching(/^The database accepts no writes: default_transaction_read_only is on/),
    })
    expect(await isWell(db)).toBe(true)
    expect(await isWell(closed)).toBe(false)
    await Promise.all([db.close(), closed.close()])
  })

  test('is well and writes again once the server accepts writes, though its connection is from before', async () => {
    const schema = await makeSchema()
    const admin = await openPostgres(inSchema(schema), { poolSize: 1 })
    await migrate(admin)
    const role = `${schema}_closed`
    await admin.pool.query(`create role ${role} login superuser password 'weak'`)
    const url = Object.assign(new URL(inject('postgresUrl')), { username: role, password: 'weak' })
    const [from, until] = ['2026-05-04T09:00:00.000Z', '2026-05-04T09:01:00.000Z']
    const write = (db: Database) => db.write((tx) => takeLease(tx, 'work', 'me', from, until))
    const unawaited = (db: Database) => db.write(async (tx) => tx.change(sql`delete from leases`))
    const ways = { isWell, write, unawaited }
    for (const [way, use] of Object.entries(ways)) {
      const db = await openPostgres(inSchema(schema, url.href), { poolSize: 1 })
      await admin.pool.query(`alter role ${role} set default_transaction_read_only = on`)
      const outcome = await use(db).catch(({ fault }: StoreError) => fault)
      expect([way, outcome]).toEqual([way, use === isWell ? false : 'read_only'])
      await admin.pool.query(`alter role ${role} reset default_transaction_read_only`)
      expect([way, await write(db), await isWell(db)]).toEqual([way, true, true])
      await db.close()
    }
    await admin.pool.query(`drop role ${role}`)
    await admin.close()
  })

  test('does not start for an unprivileged user, names the missing privileges, and starts with them', async () => {
    const schema = await makeSchema()
    const db = await openPostgres(inSchema(schema), { poolSize: 1 })
    await migrate(db)
    const role = `${schema}_role`
    await db.pool.query(
      `create role ${role} login password 'weak'; grant usage on schema ${schema} to ${role}`,
    )
    const url = Object.assign(new URL(inject('postgresUrl')), { username: role, password: 'weak' })
    const limited = await openPostgres(inSchema(schema, url.href), { poolSize: 2 })
    const grant = `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`
    await db.pool.query(`grant select on all tables in schema ${schema} to ${role}`)
    await expect(start(limited)).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringMatching(
        `^The database user ${role} may not insert, update, delete in api_keys, arrival_files, counts and \\d+ more\\..*: ${grant}$`,
      ),
    })
    await db.pool.query(`${grant}; revoke delete on leases from ${role}`)
    await expect(start(limited)).rejects.toMatchObject({
      message: expect.stringContaining('may not delete in leases.'),
    })
    await db.pool.query(grant)
    expect(await (await start(limited)).stop()).toBe(true)
    // A version whose migration the owner has not run yet.
    await db.pool.query(`delete from schema_version where version = ${schemaVersion}`)
    await expect(start(limited)).rejects.toThrow(
      /lacks a permission: .*Have the owner of the database run: custody db migrate$/,
    )
    await limited.close()
    await db.pool.query(`drop owned by ${role}; drop role ${role}`)
    await db.close()
  })

  test('stops without waiting if the database becomes read-only later', async () => {
    const db = await openPostgres(inSchema(await makeSchema()), { poolSize: 1 })
    let fault: StoreError | undefined
    const server = await start({
      ...db,
      write: (fn, how) => (fault ? Promise.reject(fault) : db.write(fn, how)),
    })
    fault = new StoreError('read_only', 'The database is read-only: connect to the primary.')
    expect(await server.stop()).toBe(true)
    await db.close()
  })
})
