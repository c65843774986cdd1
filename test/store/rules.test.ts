import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as enums from '../../src/contract/enums.ts'
import { inScope, raw, sql, type Tx } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { vocabularies } from '../../src/store/maintenance/check-scope.ts'
import { digestTable } from '../../src/store/maintenance/copy.ts'
import { type ScopedTable, scopedTables } from '../../src/store/maintenance/scoped-rows.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openRules, validateRules } from '../../src/store/postgres/pg-rules.ts'
import { bumpCounts, countKinds } from '../../src/store/tables/counts.ts'
import { databases, editableDatabases, type Harness, startHarness } from '../support/harness.ts'
import { live } from '../support/lived-in.ts'
import { undoneRepeats, undoRules } from '../support/rules-undone.ts'
import { versionsAfter } from '../support/schema-versions.ts'

/** Values that no row may have: the table, and the change to one of its rows. */
const rejected: ReadonlyArray<[string, ...string[]]> = [
  ['partners', "created_at = 'yesterday'"],
  ['scopes', 'claims = -1', 'active_subscriptions = -1', "last_at = '2026-05-01T09:00:00Z'"],
  ['api_keys', "revoked_at = ''"],
  ['counts', 'n = -1'],
  ['stock', 'available = -1', 'allocated = -1', 'on_hand = available + allocated - 1'],
  ['manifests', 'unexpected = -1', "expected_arrival_end = '5/1/2026'", "status = 'reconciled'"],
  ['manifest_lines', 'line_no = 0', 'quantity = 0', 'clean = quantity + 1', 'flagged = -1', 'is_open = 2'],
  ['manifest_lines', 'clean = quantity', 'match_score = 1.5'],
  ['phrases', 'word_count = 0'],
  ['items', 'item_no = 0', "updated_at = '2026-05-01 09:00'"],
  ['intakes', 'intake_no = 0', "intake_at = 'now'"],
  ['fulfillments', 'has_shipped = 2'],
  ['events', 'seq = 0', "created_at = '2026-05-01T09:00:00.000+00:00'"],
  ['idempotency', 'status = 500', 'claims = -1'],
  ['webhook_subscriptions', 'active = 2', "paused_until = '1767225600'"],
  ['deliveries', 'attempts = -1', 'earlier_attempts = attempts + 1', 'next_attempt_at = null'],
  ['deliveries', 'seq = null, payload = null', "lease_owner = 'me'"],
  ['delivery_ranges', 'after_seq = -1', 'end_seq = after_seq - 1', "lease_owner = 'me'"],
]

/** A column that no longer matches its document. */
const astray: ReadonlyArray<[string, ...string[]]> = [
  ['products', "id = 'x'"],
  ['manifests', "status = 'receiving'", "id = 'x'"],
  ['manifest_lines', "id = 'x'"],
  ['items', "status = 'withdrawn', held = 0", "qid = 'x'"],
  ['intakes', "qid = 'x'"],
  ['fulfillments', "status = 'returned'", "id = 'x'"],
  ['transfers', "status = 'declined'", "id = 'x'"],
  ['events', "id = 'x'", "type = 'transfer.declined'", "payload = '{}'"],
  ['webhook_subscriptions', "id = 'x'"],
]

describe.each(databases)('the database itself, over $name', (database) => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness(database)
    await live(harness)
  })
  afterAll(() => harness.close())
  const write = (text: string) => harness.db.write((tx) => tx.run(sql`${raw(text)}`))
  const ofOne = (table: string) =>
    table === 'manifest_lines'
      ? ' where is_open = 1'
      : table === 'deliveries'
        ? " where status = 'pending'"
        : ''

  test.each(rejected)('rejects an impossible row of %s', async (table, ...changes) => {
    for (const change of changes) {
      const done = write(`update ${table} set ${change}${ofOne(table)}`).then(
        (rows) => `${rows} rows were changed`,
      )
      await expect(done, change).rejects.toThrow(/check constraint/i)
    }
  })

  test.each(astray)('rejects a row of %s that contradicts its document', async (table, ...changes) => {
    for (const change of changes)
      await expect(write(`update ${table} set ${change}`), change).rejects.toThrow(`${table}_document`)
    const half = write(`update ${table} set ${table === 'events' ? 'payload' : 'doc'} = '{'`)
    await expect(half).rejects.toThrow(`${table}_document`)
  })

  test('rejects a count that goes below zero, and one that starts there', async () => {
    const bumped = (key: string) =>
      harness.db.write((tx) =>
        bumpCounts(inScope(tx, harness.scope.id), [{ kind: 'transfers', key, by: -2 }]),
      )
    await expect(bumped('requested')).rejects.toThrow(/check constraint/i)
    await expect(bumped('declined')).rejects.toThrow(/check constraint/i)
  })

  test('keeps nothing of a rejected row', async () => {
    expect(await checkDatabase(harness.db)).toEqual([])
  })
})

test.each(editableDatabases)(
  'rows older than the rules stay unchanged and exempt from them, over $name',
  async (database) => {
    const harness = await startHarness(database)
    await live(harness)
    await harness.db.write(undoRules)
    const ofOrder = sql`where id = (select min(id) from fulfillments)`
    await harness.db.write((tx) => tx.run(sql`update fulfillments set has_shipped = 7 ${ofOrder}`))
    const before = await harness.db.read((tx) => digests(tx, harness.scope.id))
    expect(await migrate(harness.db)).toEqual(versionsAfter(10))
    expect(await harness.db.read((tx) => digests(tx, harness.scope.id))).toEqual(before)
    const broken =
      database.name === 'SQLite'
        ? { table: 'file', problem: 'CHECK constraint failed in fulfillments' }
        : {
            table: 'fulfillments',
            key: 'fulfillments_has_shipped',
            problem: '1 existing rows break this rule',
          }
    expect(await checkDatabase(harness.db)).toContainEqual(expect.objectContaining(broken))
    if (database.name === 'PostgreSQL') {
      // All other rules also apply to earlier rows.
      expect((await harness.db.read(openRules)).map(({ name }) => name)).toEqual(['fulfillments_has_shipped'])
      expect(await validateRules(harness.db)).toEqual([
        'Existing rows break the rule fulfillments_has_shipped. To list them: custody db check',
      ])
    }
    await expect(
      harness.db.write((tx) => tx.run(sql`update fulfillments set has_shipped = 8 ${ofOrder}`)),
    ).rejects.toThrow(/check/i)
    await harness.db.write((tx) => tx.run(sql`update fulfillments set has_shipped = 1 ${ofOrder}`))
    expect(await checkDatabase(harness.db)).toEqual([])
    expect(await validateRules(harness.db)).toEqual([])
    if (database.name === 'PostgreSQL') expect(await harness.db.read(openRules)).toEqual([])
    await harness.close()
  },
)

test('every table of a file accepts only values of its columns’ types', async () => {
  const harness = await startHarness(databases[0]!)
  await live(harness)
  const tables = await harness.db.read((tx) =>
    tx.all<{ name: string; text: string; strict: number }>(sql`
      select t.name, t.strict, s.sql as text from pragma_table_list t join sqlite_master s on s.name = t.name
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name`),
  )
  expect(tables.filter(({ strict }) => strict === 0)).toEqual([])
  const blob = harness.db.write((tx) => tx.run(sql`update items set sku = x'00'`))
  await expect(blob).rejects.toThrow('cannot store BLOB value in TEXT column items.sku')
  await harness.close()
})

test('every column whose values are all words of a vocabulary is checked against it', async () => {
  const harness = await startHarness(databases[0]!)
  await live(harness)
  const known: ReadonlySet<unknown> = new Set(
    [...Object.values(enums), countKinds].filter(Array.isArray).flat(),
  )
  const found: string[] = []
  await harness.db.read(async (tx) => {
    const columns = await tx.all<{ table: string; column: string }>(sql`
      select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite_%' and c.type = 'TEXT'`)
    for (const { table, column } of columns) {
      const values = await tx.all<{ value: string }>(sql`
        select distinct ${raw(column)} as value from ${raw(table)} where ${raw(column)} is not null limit 30`)
      if (values.length > 0 && values.every(({ value }) => known.has(value))) found.push(`${table}.${column}`)
    }
  })
  expect(found.length).toBeGreaterThan(8)
  expect(vocabularies.map(([table, column]) => `${table}.${column}`)).toEqual(expect.arrayContaining(found))
  await harness.close()
})

/** Statements that give one row a word outside its vocabulary, by column. */
const unknownWords: ReadonlyArray<[table: string, column: string]> = [
  ['scopes', 'environment'],
  ['counts', 'kind'],
  ['manifest_lines', 'match_key'],
  ['items', 'type'],
  ['fulfillments', 'interrupted_stage'],
  ['deliveries', 'event_type'],
]

describe.each(databases)('vocabularies over $name', (database) => {
  test("leave a database's constraints by migration 13, and its rows stay", async () => {
    const harness = await startHarness(database)
    await live(harness)
    const listed = {
      scopes_environment: "environment = 'sandbox' or environment = 'production'",
      items_status: `status in (${enums.itemStatuses.map((word) => `'${word}'`).join(', ')})`,
      events_type: `type in (${enums.webhookEventTypes.map((word) => `'${word}'`).join(', ')})`,
    }
    await harness.db.write(async (tx) => {
      for (const [name, condition] of Object.entries(listed)) {
        const [table] = name.split('_')
        await tx.run(sql`alter table ${raw(`${table} add constraint ${name} check (${condition})`)}`)
      }
      for (const statement of undoneRepeats) await tx.run(statement)
      await tx.run(sql`delete from schema_version where version >= 13`)
    })
    const before = await harness.db.read((tx) => digests(tx, harness.scope.id))
    const breaking = harness.db.write((tx) => tx.run(sql`update scopes set environment = 'staging'`))
    await expect(breaking).rejects.toThrow(/check constraint/i)
    expect(await migrate(harness.db)).toEqual(versionsAfter(12))
    expect(await harness.db.read((tx) => digests(tx, harness.scope.id))).toEqual(before)
    expect(await checkDatabase(harness.db)).toEqual([])
    await harness.close()
  })

  test('may be unknown in a row, and db check reports them', async () => {
    const harness = await startHarness(database)
    await live(harness)
    for (const [table, column] of unknownWords) {
      const condition = table === 'counts' ? 'kind = (select min(kind) from counts)' : 'true'
      const rows = harness.db.write((tx) =>
        tx.run(sql`update ${raw(`${table} set ${column} = 'a new word' where ${condition}`)}`),
      )
      expect(await rows, table).toBeGreaterThan(0)
      const findings = await checkDatabase(harness.db)
      const problem = expect.stringContaining('rows have the unknown word "a new word"')
      expect(findings, table).toContainEqual(expect.objectContaining({ table, key: column, problem }))
    }
    await harness.close()
  })
})

async function digests(tx: Tx, scopeId: number): Promise<unknown[]> {
  const found = []
  // Migrations 14, 16, 17, and 21 give these a column or create them.
  const changed = [
    'manifests',
    'phrases',
    'order_identities',
    'identity_backlogs',
    'arrival_files',
    'api_keys',
  ]
  const tables = Object.keys(scopedTables).filter((table) => !changed.includes(table))
  for (const table of tables as ScopedTable[])
    found.push([table, await digestTable(inScope(tx, scopeId), table, new Set())])
  return found
}
