import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as enums from '../../src/contract/enums.ts'
import type { Tx } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { digestTable } from '../../src/store/maintenance/copy-tables.ts'
import { type ScopedTable, scopedTables } from '../../src/store/maintenance/scoped-rows.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openRules, validateRules } from '../../src/store/postgres/pg-rules.ts'
import { raw, sql } from '../../src/store/sql.ts'
import { bumpCounts } from '../../src/store/tables/counts.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { live } from '../support/lived-in.ts'
import { undoRules } from '../support/rules-undone.ts'

/** What no row may be made to say: the table, and what is set in one of its rows. */
const refused: ReadonlyArray<[string, ...string[]]> = [
  ['partners', "created_at = 'yesterday'"],
  [
    'scopes',
    "environment = 'staging'",
    'claims = -1',
    'active_subscriptions = -1',
    "last_at = '2026-05-01T09:00:00Z'",
  ],
  ['api_keys', "revoked_at = ''"],
  ['counts', 'n = -1', "kind = 'wishes'"],
  ['stock', 'available = -1', 'allocated = -1', 'on_hand = available + allocated - 1'],
  [
    'manifests',
    "status = 'open'",
    'unexpected = -1',
    "expected_arrival_end = '5/1/2026'",
    "status = 'reconciled'",
  ],
  ['manifest_lines', 'line_no = 0', 'quantity = 0', 'clean = quantity + 1', 'flagged = -1', 'is_open = 2'],
  ['manifest_lines', 'clean = quantity', "match_key = 'grade'", 'match_score = 1.5'],
  ['phrases', 'word_count = 0'],
  [
    'items',
    "status = 'lost'",
    'held = 1 - held',
    "type = 'coin'",
    'item_no = 0',
    "updated_at = '2026-05-01 09:00'",
  ],
  ['intakes', 'intake_no = 0', "intake_at = 'now'"],
  ['fulfillments', "status = 'on_hold'", 'has_shipped = 2', "interrupted_stage = 'wrapped'"],
  ['transfers', "status = 'refused'"],
  ['events', "type = 'item.lost'", 'seq = 0', "created_at = '2026-05-01T09:00:00.000+00:00'"],
  ['idempotency', 'status = 500', 'claims = -1'],
  ['webhook_subscriptions', 'active = 2', "paused_until = '1767225600'"],
  [
    'deliveries',
    "status = 'lost'",
    'attempts = -1',
    'earlier_attempts = attempts + 1',
    'next_attempt_at = null',
  ],
  ['deliveries', 'seq = null, payload = null', "event_type = 'item.lost'", "lease_owner = 'me'"],
  ['delivery_ranges', 'after_seq = -1', 'end_seq = after_seq - 1', "lease_owner = 'me'"],
]

/** What leaves its document behind. */
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

describe.each(databases)('what the database itself refuses over $name', (database) => {
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

  test.each(refused)('a row of %s that says what cannot be', async (table, ...changes) => {
    for (const change of changes) {
      const done = write(`update ${table} set ${change}${ofOne(table)}`).then(
        (rows) => `${rows} rows were changed`,
      )
      await expect(done, change).rejects.toThrow(/check constraint/i)
    }
  })

  test.each(astray)('a row of %s that does not say what its document says', async (table, ...changes) => {
    for (const change of changes)
      await expect(write(`update ${table} set ${change}`), change).rejects.toThrow(`${table}_document`)
    const half = write(`update ${table} set ${table === 'events' ? 'payload' : 'doc'} = '{'`)
    await expect(half).rejects.toThrow(`${table}_document`)
  })

  test('a count that goes below zero, and one that begins there', async () => {
    const bumped = (key: string) =>
      harness.db.write((tx) => bumpCounts(tx, harness.scope.id, [{ kind: 'transfers', key, by: -2 }]))
    await expect(bumped('requested')).rejects.toThrow(/check constraint/i)
    await expect(bumped('declined')).rejects.toThrow(/check constraint/i)
  })

  test('nothing of it was kept', async () => {
    expect(await checkDatabase(harness.db)).toEqual([])
  })
})

test.each(databases)(
  'rows of before have no rules put on them, and none is changed, over $name',
  async (database) => {
    const harness = await startHarness(database)
    await live(harness)
    await harness.db.write(undoRules)
    const ofItem = sql`where scope_id = ${harness.scope.id} and item_no = 1`
    await harness.db.write((tx) => tx.run(sql`update items set held = 7 ${ofItem}`))
    const before = await harness.db.read((tx) => digests(tx, harness.scope.id))
    expect(await migrate(harness.db)).toEqual([11, 12])
    expect(await harness.db.read((tx) => digests(tx, harness.scope.id))).toEqual(before)
    const broken =
      database.name === 'SQLite'
        ? { table: 'file', problem: 'CHECK constraint failed in items' }
        : { table: 'items', key: 'items_held', problem: '1 rows of before break this rule' }
    expect(await checkDatabase(harness.db)).toContainEqual(expect.objectContaining(broken))
    if (database.name === 'PostgreSQL') {
      // All other rules hold for rows of before too.
      expect((await harness.db.read(openRules)).map(({ name }) => name)).toEqual(['items_held'])
      expect(await validateRules(harness.db)).toEqual([
        'Rows of before break the rule items_held; what they are is told by: custody db check',
      ])
    }
    await expect(harness.db.write((tx) => tx.run(sql`update items set held = 8 ${ofItem}`))).rejects.toThrow(
      /check/i,
    )
    await harness.db.write((tx) => tx.run(sql`update items set held = 1 ${ofItem}`))
    expect(await checkDatabase(harness.db)).toEqual([])
    expect(await validateRules(harness.db)).toEqual([])
    if (database.name === 'PostgreSQL') expect(await harness.db.read(openRules)).toEqual([])
    await harness.close()
  },
)

test('every table of a file takes only what its columns are of, and knows every word of the contract', async () => {
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
  const words = (rule: string): string[] => {
    const [, condition = ''] =
      new RegExp(`constraint ${rule} check \\((.*)\\)`).exec(tables.map(({ text }) => text).join('\n')) ?? []
    return [...condition.matchAll(/'(\w[\w.]*)'/g)].map(([, word = '']) => word).sort()
  }
  const known: Record<string, readonly string[]> = {
    scopes_environment: enums.environments,
    manifests_status: enums.manifestStatuses,
    manifest_lines_match: enums.matchKeys,
    items_type: enums.itemTypes,
    items_status: enums.itemStatuses,
    fulfillments_status: enums.fulfillmentStatuses,
    fulfillments_interrupted_stage: enums.processingStages,
    transfers_status: enums.transferStatuses,
    events_type: enums.webhookEventTypes,
    deliveries_event_type: enums.webhookEventTypes,
    deliveries_status: enums.deliveryStatuses,
  }
  for (const [rule, enumeration] of Object.entries(known))
    expect(words(rule), rule).toEqual([...enumeration].sort())
  await harness.close()
})

async function digests(tx: Tx, scopeId: number): Promise<unknown[]> {
  const found = []
  for (const table of Object.keys(scopedTables) as ScopedTable[])
    found.push([table, await digestTable(tx, scopeId, table, new Set())])
  return found
}
