import { beforeAll, describe, expect, test } from 'vitest'
import type { Environment } from '../../src/contract/enums.ts'
import { join, raw, type Sql, sql, type Tx } from '../../src/store/database.ts'
import { checkDatabase, type ScopeFinding } from '../../src/store/maintenance/check.ts'
import type { CountKind } from '../../src/store/tables/counts.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases, editableDatabases, startHarness } from '../support/harness.ts'
import { live } from '../support/lived-in.ts'
import { loosenRules } from '../support/rules-undone.ts'
import { type StoredItem, storeItems } from '../support/stored-items.ts'

/** Every kind of maintained count. */
const kinds: Record<CountKind, true> = {
  items: true,
  items_by_intake: true,
  items_by_update: true,
  products: true,
  manifests: true,
  fulfillments: true,
  transfers: true,
  intakes: true,
  stock: true,
  subscriptions: true,
  deliveries: true,
  events: true,
  words: true,
}

/** A column that repeats a document's value; the key comes first. */
const copies: Record<string, string> = {
  items:
    'qid type status held sku sku_fold search_text cert_key grader_key line_id fulfillment_id intake_at updated_at',
  intakes: 'intake_no qid intake_at manifest_id line_id cert_number',
  products: 'id sku',
  manifests: 'id reference status expected_arrival_end',
  manifest_lines: 'id cert_key sku phrase_key quantity is_open',
  fulfillments: 'id status external_ref',
  transfers: 'id status',
  webhook_subscriptions: 'id active',
  events: 'seq id type created_at',
}
/** No document contains the number of an event or an intake. */
const isInDocument = (column: string): boolean => !/^(seq|intake_no)$/.test(column)
const numbers = new Set(['held', 'quantity', 'is_open', 'active'])

describe.each(editableDatabases)('db check over $name', (database) => {
  const harness = forAllTests(harnessWith(database))
  beforeAll(async () => {
    await live(harness)
    // The database rejects writes of what it looks for.
    await harness.db.write(loosenRules)
  })

  /** The number of rows in each result that the checks received. */
  const answers: number[] = []
  /** The findings after `damage`, which is undone again. */
  const findingsAfter = async (...damage: Sql[]): Promise<ScopeFinding[]> => {
    const undone = new Error('undone')
    let findings: ScopeFinding[] = []
    const look = async (tx: Tx): Promise<void> => {
      for (const statement of damage) await tx.run(statement)
      findings = await checkDatabase(
        { ...harness.db, read: (fn) => fn(tx) },
        { onRows: async (rows) => void answers.push(rows) },
      )
      throw undone
    }
    await harness.db.write(look).catch((error: unknown) => {
      if (error !== undone) throw error
    })
    return findings
  }
  const expectFound = async (damage: Sql | Sql[], table: string, problem: string | RegExp) => {
    const findings = await findingsAfter(...[damage].flat())
    const { partner_name: partner, environment } = harness.scope
    const found = { table, partner, environment, problem: expect.stringMatching(problem) }
    expect(findings).toContainEqual(expect.objectContaining(found))
  }
  const scope = () => sql`scope_id = ${harness.scope.id}`
  /** One row of a table: the first by its key. */
  const first = (table: string, key: string, where: Sql = sql`1 = 1`) => sql`
    ${scope()} and ${raw(key)} = (select min(${raw(key)}) from ${raw(table)} where ${scope()} and ${where})`

  test('finds nothing in a sound database', async () => {
    expect(await findingsAfter()).toEqual([])
  })

  test('recounts each counter', async () => {
    const kept = await harness.db.read((tx) =>
      tx.all<{ kind: string; key: string; n: number }>(
        sql`select kind, key, n from counts where ${scope()} and n > 0`,
      ),
    )
    expect(new Set(kept.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)))
    const named = (says: (n: number) => string) =>
      kept.map(({ kind, key, n }) =>
        expect.objectContaining({ table: 'counts', key: `${kind} ${key}`, problem: says(Number(n)) }),
      )
    const more = await findingsAfter(sql`update counts set n = n + 1 where ${scope()} and n > 0`)
    expect(more).toHaveLength(kept.length)
    expect(more).toEqual(expect.arrayContaining(named((n) => `${n + 1} stored, ${n} counted`)))
    const none = await findingsAfter(sql`delete from counts where ${scope()}`)
    expect(none).toEqual(expect.arrayContaining(named((n) => `0 stored, ${n} counted`)))
  })

  test("checks the scope's numbers", async () => {
    const findings = await findingsAfter(sql`
      update scopes set last_item_no = 7, last_intake_no = 8, active_subscriptions = 9, last_seq = 99
      where id = ${harness.scope.id}`)
    expect(findings.map(({ table, problem }) => `${table}: ${problem}`)).toEqual([
      'scopes: 7 stored, 3 counted',
      'scopes: 8 stored, 3 counted',
      'scopes: 9 stored, 1 counted',
      expect.stringMatching(/^scopes: last_seq is 99, the last event is \d+$/),
    ])
  })

  test('holds at most a page of a table at a time, and misses nothing in between', async () => {
    const many = manyRows(harness.scope.id, 2500)
    answers.length = 0
    expect(await findingsAfter(...many)).toEqual([])
    expect(Math.max(...answers)).toBe(1000)
    const where = (table: string, key: string) =>
      sql`from ${raw(table)} where ${scope()} and ${raw(key)} = ${'m999'}`
    const findings = await findingsAfter(
      ...many,
      sql`delete ${where('stock', 'sku')}`,
      sql`delete ${where('manifest_lines', 'manifest_id')}`,
      sql`delete ${where('fulfillments', 'id')}`,
    )
    expect(findings.map(({ table, key }) => `${table} ${key}`).sort()).toEqual([
      'counts fulfillments cancelled',
      'counts stock ',
      'fulfillment_items m999 m999',
      'manifests m999 line_count',
      'stock m999',
    ])
  })

  test.each(['on_hand', 'available', 'allocated'])('recounts stock: %s', async (column) => {
    const damage = sql`update stock set ${raw(column)} = ${raw(column)} + 1 where ${first('stock', 'sku')}`
    await expectFound(damage, 'stock', / allocated stored, \d+ on hand/)
  })

  test('finds a SKU without a stock level, and a level without a SKU', async () => {
    await expectFound(sql`delete from stock where ${scope()} and sku = 'BOX'`, 'stock', /^nothing stored/)
    const stray = sql`
      insert into stock (scope_id, sku, on_hand, available, allocated)
      values (${harness.scope.id}, 'STRAY', 1, 1, 0)`
    await expectFound(stray, 'stock', '1 on hand, 1 available, 0 allocated stored, 0 on hand')
  })

  test.each([
    ['events', 'seq', 'follows 1: events are missing'],
    ['intakes', 'intake_no', 'follows 1: intakes are missing'],
  ])('finds a gap in %s', async (table, key, problem) => {
    await expectFound(sql`delete from ${raw(table)} where ${scope()} and ${raw(key)} = 2`, table, problem)
  })

  test('finds a log whose end is cut off', async () => {
    const last = sql`(select max(seq) from events where ${scope()})`
    await expectFound(sql`delete from events where ${scope()} and seq = ${last}`, 'scopes', /^last_seq is/)
  })

  test.each([
    ['events', 'created_at', 'seq'],
    ['intakes', 'intake_at', 'intake_no'],
  ])('finds %s out of time order', async (table, column, key) => {
    const damage = sql`
      update ${raw(table)} set ${raw(column)} = '2020-01-01T00:00:00.000Z' where ${scope()} and ${raw(key)} = 2`
    await expectFound(damage, table, /^is older than the/)
  })

  test.each(Object.entries(copies))(
    'finds %s whose columns contradict their document',
    async (table, names) => {
      const [key = '', ...others] = names.split(' ')
      const columns = [key, ...others].filter(isInDocument)
      const wrong = columns.map((column) =>
        numbers.has(column) ? sql`${raw(column)} = 1 - ${raw(column)} * 2` : sql`${raw(column)} = 'wrong'`,
      )
      const findings = await findingsAfter(
        sql`update ${raw(table)} set ${join(wrong)} where ${first(table, key)}`,
      )
      const found = columns.map((column) => ({
        table,
        problem: expect.stringMatching(`^${column} is .*, its document says `),
      }))
      expect(findings).toEqual(expect.arrayContaining(found.map((one) => expect.objectContaining(one))))
    },
  )

  test.each(Object.entries(copies))('finds %s with half a document', async (table, names) => {
    const doc = raw(table === 'events' ? 'payload' : 'doc')
    const damage = sql`update ${raw(table)} set ${doc} = '{' where ${first(table, names.split(' ')[0] ?? '')}`
    await expectFound(damage, table, 'its document is not JSON')
  })

  test('finds missing related rows', async () => {
    const gone = (table: string) => sql`delete from ${raw(table)} where ${scope()}`
    await expectFound(gone('manifests'), 'manifest_lines', 'its manifest is missing')
    await expectFound(gone('manifest_lines'), 'manifests', /^\d stored, 0 counted/)
    await expectFound(gone('fulfillment_items'), 'fulfillments', /is not linked to it$/)
    await expectFound(gone('fulfillment_items'), 'items', /^names .*, which does not contain it$/)
    await expectFound(gone('fulfillments'), 'fulfillment_items', 'its fulfillment does not contain the item')
    await expectFound(gone('webhook_subscriptions'), 'counts', /^\d stored, 0 counted/)
    await expectFound(gone('events'), 'deliveries', 'its event is missing')
    const astray = 'its subscription is missing, or the range extends beyond the log'
    await expectFound(gone('webhook_subscriptions'), 'delivery_ranges', astray)
    const ahead = sql`update delivery_ranges set after_seq = 1000 where ${scope()}`
    await expectFound(ahead, 'delivery_ranges', astray)
    const places = /^its subscription reads the log from 0 positions$/
    await expectFound(gone('delivery_ranges'), 'delivery_ranges', places)
  })

  test('finds a phrase that is missing, left over, or has other words or another first line', async () => {
    const gone = (table: string) => sql`delete from ${raw(table)} where ${scope()}`
    await expectFound(gone('phrases'), 'phrases', 'an open line has this phrase, but the index does not')
    await expectFound(gone('phrase_words'), 'phrase_words', /^0 stored, \d+ counted$/)
    const set = (text: string) => sql`update phrases set ${raw(text)} where ${first('phrases', 'phrase_no')}`
    await expectFound(set("words = 'a b'"), 'phrases', /^phrase_key is /)
    await expectFound(set('line_no = line_no + 1'), 'phrases', /^line_no is /)
    const closed = sql`update manifest_lines set is_open = 0 where ${scope()} and phrase_key is not null`
    await expectFound(closed, 'phrases', /^manifest_id is .*, its document says null$/)
  })

  test('finds a line whose units contradict it, and a report without a time', async () => {
    const unit = sql`update manifest_lines set clean = quantity where ${first('manifest_lines', 'id')}`
    await expectFound(unit, 'manifest_lines', /^its document says \w+, its units \w+$/)
    const at = sql`update manifests set generated_at = '2026-05-01T09:00:00.000Z' where ${scope()}`
    await expectFound(at, 'manifests', /, but generated_at is /)
  })
})

test.each(databases)(
  'db check finds a slab that two partners hold, in production ($name)',
  async (database) => {
    const problems = async (environment: Environment) => {
      const harness = await startHarness(database, { environment })
      const store = (items: StoredItem[], scope: Scope) => storeItems(harness, items, scope)
      const [mine] = await store(
        [{ grader: 'BGS', cert_number: '0012345678' }, { cert_number: '2' }, { cert_number: '3' }, {}],
        harness.scope,
      )
      const left = { cert_number: '2', status: 'delivered' } as const
      const others = [
        { grader: 'b.g.s.', cert_number: '12345678' },
        left,
        { grader: 'CGC', cert_number: '3' },
      ]
      const [theirs] = await store(others, harness.strangerScope)
      const found = await harness.findings()
      await harness.close()
      const [a, b] = [harness.scope, harness.strangerScope].map(({ partner_name }) => partner_name)
      return { found, holders: `${a} (${mine?.qid}) and ${b} (${theirs?.qid})` }
    }
    expect((await problems('sandbox')).found).toEqual([])
    const { found, holders } = await problems('production')
    const problem = expect.stringContaining(`is in custody for ${holders}: find out whose it is`)
    expect(found).toEqual([{ partner: '', environment: '', table: 'items', key: 'BGS 0012345678', problem }])
  },
)

/** Endless rows of every table, all valid. */
function manyRows(scopeId: number, rows: number): Sql[] {
  const scope = raw(String(scopeId))
  const numbers = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${raw(String(rows))})`
  const fill = (table: string, columns: string, values: string) => sql`
    insert into ${raw(table)} (scope_id, ${raw(columns)}) ${numbers} select ${scope}, ${raw(values.replaceAll('@', "'m' || i"))} from n`
  const more = (kind: string, key: string) => sql`
    insert into counts (scope_id, kind, key, n) values (${scopeId}, ${kind}, ${key}, ${rows})
    on conflict (scope_id, kind, key) do update set n = counts.n + excluded.n`
  const line = `'{"id":"' || @ || '","sku":"S","cert_number":null,"quantity":1,"status":"expected"}'`
  const manifest = `'{"id":"' || @ || '","reference":"R","status":"submitted","expected_arrival_end":null,"line_count":1}'`
  return [
    fill('products', 'id, sku, doc', `@, @, '{"product_id":"' || @ || '","sku":"' || @ || '"}'`),
    fill('stock', 'sku, on_hand, available, allocated', '@, 0, 0, 0'),
    fill('manifests', 'id, reference, status, doc', `@, 'R', 'submitted', ${manifest}`),
    fill(
      'manifest_lines',
      'manifest_id, line_no, id, sku, quantity, is_open, doc',
      `@, 1, @, 'S', 1, 1, ${line}`,
    ),
    fill(
      'fulfillments',
      'id, status, doc',
      `@, 'cancelled', '{"id":"' || @ || '","status":"cancelled","qids":["' || @ || '"]}'`,
    ),
    fill('fulfillment_items', 'qid, fulfillment_id', '@, @'),
    // As before migration 14: they have no identities yet.
    sql`insert into identity_backlogs (scope_id, after_id, until_id) values (${scopeId}, 'm', 'n')`,
    ...['products', 'stock'].map((kind) => more(kind, '')),
    more('manifests', 'submitted'),
    more('fulfillments', 'cancelled'),
  ]
}
