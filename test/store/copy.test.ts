import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { createService } from '../../src/service/service.ts'
import { type Database, inScope, type SqlValue, sql, type Tx } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { copyPartner } from '../../src/store/maintenance/copy.ts'
import { scopedTables } from '../../src/store/maintenance/scoped-rows.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { claimScope, findScope, listScopes } from '../../src/store/tables/scopes.ts'
import { everyEvent } from '../support/every-event.ts'
import { clientWith, databases, type Harness, startHarness } from '../support/harness.ts'
import { box, live } from '../support/lived-in.ts'
import { slab } from '../support/manifests.ts'
import { openFreshSchema } from '../support/postgres-schema.ts'

const targets = {
  SQLite: async () => openSqlite(join(mkdtempSync(join(tmpdir(), 'custody-copy-')), 'custody.db')),
  PostgreSQL: () => openFreshSchema({ poolSize: 3 }) as Promise<Database>,
}

describe.each(databases)('a partner copied from $name', (database) => {
  let harness: Harness
  let target: Database
  const other = database.name === 'SQLite' ? 'PostgreSQL' : 'SQLite'
  beforeEach(async () => {
    harness = await startHarness(database)
    target = await targets[other]()
    await migrate(target)
    await live(harness)
  })
  afterEach(async () => {
    await target.close()
    if ('file' in target) rmSync(join(String(target.file), '..'), { recursive: true })
    await harness.close()
  })

  /** A client of the copied partner in the target. */
  const enter = async (name: string) => {
    const { sources } = harness
    const settings = { servedCountries: new Set(['US']), closeGraceDays: 7, repeatsDays: 400 }
    const service = createService({ db: target, environment: 'sandbox', sources, settings })
    const key = await target.write(async (tx) => {
      const scope = await findScope(tx, name, 'sandbox')
      if (!scope) throw new Error(`${name} is not there`)
      return (await issueKey(tx, sources, scope)).key
    })
    return clientWith(service, key, sources)
  }

  test('answers in the other database with the same bytes, and continues from there', async () => {
    const { client, db, scope, key, sources } = harness
    const copied = await copyPartner(db, target, { partner: scope.partner_name, as: 'Moved' })
    expect(copied.outdated).toEqual([])
    expect(copied.tables.map(({ table }) => table)).toEqual(Object.keys(scopedTables))
    const moved = await enter('Moved')
    expect((await moved.listItems({})).text).toBe((await client.listItems({})).text)
    expect(await everyEvent(moved)).toEqual(await everyEvent(client))
    expect((await moved.listItems({ query: { search: 'arizar' } })).data.total).toBe(3)
    expect((await moved.getItemSummary({})).text).toBe((await client.getItemSummary({})).text)
    const again = await moved.createProduct({ body: box, idempotencyKey: 'the box' })
    expect(again.headers['idempotency-replayed']).toBe('true')
    // Its key was copied.
    const settings = { servedCountries: new Set(['US']), closeGraceDays: 7, repeatsDays: 400 }
    const service = createService({ db: target, environment: 'sandbox', sources, settings })
    await clientWith(service, key, sources).createIntakes({ body: { items: [slab('90000001')] } })
    const events = await everyEvent(moved)
    expect(events).toHaveLength((await everyEvent(client)).length + 1)
    expect(await checkDatabase(target)).toEqual([])
  })

  test('joins an already created partner, whose keys keep working', async () => {
    const { client, db, scope, sources } = harness
    const { key } = await target.write(async (tx) =>
      issueKey(tx, sources, await ensureScope(tx, sources, scope.partner_name, scope.environment)),
    )
    await copyPartner(db, target, { partner: scope.partner_name })
    const settings = { servedCountries: new Set(['US']), closeGraceDays: 7, repeatsDays: 400 }
    const service = createService({ db: target, environment: 'sandbox', sources, settings })
    const ahead = clientWith(service, key, sources)
    expect((await ahead.listItems({})).text).toBe((await client.listItems({})).text)
    expect(await checkDatabase(target)).toEqual([])
    // Under the target's own id: its keys say which partner was copied.
    await expect(copyPartner(db, target, { partner: scope.partner_name, as: 'Twin' })).rejects.toMatchObject({
      code: 'state_conflict',
      message: `The target already has keys of this partner, named ${scope.partner_name}.`,
    })
  })

  test.each<[string, (tx: Tx, source: Harness) => Promise<unknown>]>([
    ['a write, which claims its scope', (tx, { scope }) => claimScope(inScope(tx, scope.id))],
    ['a new key', (tx, { sources, scope }) => issueKey(tx, sources, scope)],
  ])('keeps the state before %s was added meanwhile, and says so', async (_, write) => {
    const { db, scope } = harness
    let writes = 0
    const copied = await copyPartner(db, target, {
      partner: scope.partner_name,
      async onRows() {
        writes += 1
        if (writes === 1) await db.write((tx) => write(tx, harness))
      },
    })
    expect(copied.outdated).toEqual(['sandbox'])
    const keys = await target.read((tx) => tx.all(sql`select id from api_keys`))
    expect(keys).toHaveLength(2)
  })

  test('is rejected if its data are already there, by that name or another, and nothing changes', async () => {
    const { db, scope } = harness
    await copyPartner(db, target, { partner: scope.partner_name })
    const before = await target.read(listScopes)
    const again = copyPartner(db, target, { partner: scope.partner_name })
    await expect(again).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('already has data'),
    })
    // Its keys lead to one partner.
    await expect(copyPartner(db, target, { partner: scope.partner_name, as: 'Twin' })).rejects.toMatchObject({
      code: 'state_conflict',
      message: `The target already has this partner, named ${scope.partner_name}.`,
    })
    expect(await target.read(listScopes)).toEqual(before)
  })

  test('leaves nothing if a row was lost or changed on the way, or numbers do not match the rows', async () => {
    const { db, scope } = harness
    const copying = (to: Database) => copyPartner(db, to, { partner: scope.partner_name })
    const rejection = (words: string) => ({ fault: 'corrupt', message: expect.stringContaining(words) })
    const lossy = spoiled(target, 'events', (rows) => rows.slice(1))
    await expect(copying(lossy)).rejects.toMatchObject(
      rejection('The copy of events differs from what was read'),
    )
    const liar = spoiled(target, 'intakes', (rows) =>
      rows.map((row) => [...row.slice(0, -1), `${row.at(-1)} `]),
    )
    await expect(copying(liar)).rejects.toMatchObject(
      rejection('The copy of intakes differs from what was read'),
    )
    await db.write((tx) => tx.run(sql`update scopes set last_seq = last_seq + 1 where id = ${scope.id}`))
    await expect(copying(target)).rejects.toMatchObject(rejection('events should be'))
    expect(await target.read(listScopes)).toEqual([])
  })

  test('is reported if named wrongly', async () => {
    const copying = copyPartner(harness.db, target, { partner: 'Nobody' })
    await expect(copying).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('includes every table that has a scope', async () => {
  const db = openSqlite(':memory:')
  await migrate(db)
  const tables = await db.read((tx) =>
    tx.all<{ name: string }>(sql`
      select m.name from sqlite_master m join pragma_table_info(m.name) c
      where m.type = 'table' and c.name = 'scope_id' order by m.name`),
  )
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(scopedTables).sort())
  await db.close()
})

/** A database that stores other rows of a table than it receives. */
function spoiled(
  db: Database,
  spoiledTable: string,
  spoil: (rows: readonly SqlValue[][]) => SqlValue[][],
): Database {
  return {
    ...db,
    write: (fn, options) =>
      db.write(
        (tx) =>
          fn({
            ...tx,
            insert: (table, columns, rows, skip) =>
              tx.insert(table, columns, table === spoiledTable ? spoil(rows) : rows, skip),
          }),
        options,
      ),
  }
}
