import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchText } from '../../src/domain/items/search-text.ts'
import { type Database, inScope, sql, type Tx } from '../../src/store/database.ts'
import {
  countItems,
  findFewItems,
  gatherItems,
  type ItemFilter,
  type Slice,
  walkItems,
} from '../../src/store/tables/item-lists.ts'
import { insertItems, type OwnItem } from '../../src/store/tables/items.ts'
import { databases } from '../support/harness.ts'
import { itemOf } from '../support/stored-items.ts'

const items = 1500
const order = { by: 'intake_at', dir: 'asc' } as const
const everything = { limit: items, offset: 0 }

/** This many share their words that no part of a name is rare; two partners have the same names. */
describe.each(databases)('finding items by part of their text in $name', (database) => {
  let db: Database
  let dispose: () => void
  beforeAll(async () => {
    ;({ db, dispose } = await database.open())
    for (const scope of [1, 2]) await db.write((tx) => insertItems(inScope(tx, scope), all.map(entryOf)))
    await db.write(tellThatScopeHasMost(2))
  })
  afterAll(async () => {
    await db.close()
    dispose()
  })

  /** By the parts that few items have, and by a walk over all: both must agree in both orders. */
  const gathered = (scope: number, filter: ItemFilter, slice: Slice) =>
    db.read(async (whole) => {
      const tx = inScope(whole, scope)
      const walked = await walkItems(tx, filter, order, slice)
      const total = await countItems(tx, filter)
      const few = await findFewItems(tx, filter)
      if (few) expect(await gatherItems(tx, few, order, slice)).toEqual({ docs: walked, total })
      const changed = await walkItems(tx, filter, { ...order, by: 'updated_at' }, slice)
      expect(changed).toEqual(walked)
      return { docs: walked, total }
    })

  test.each([
    'common',
    'common c',
    '2 ',
    ' 7',
    '77 rare bird',
    'card alpha',
    'common card beta',
    'alpha 7',
    'alpha 77',
    'beta 1',
    'beta 1499',
    'ta 1',
    'zeta',
    'card  alpha',
    'rare bird',
    'common rare',
    'bird 700 common',
    'sku-12',
    'card alpha\nsku',
  ])('%j', async (term) => {
    const expected = all.filter((item) => searchText(item).includes(term)).map(({ qid }) => qid)
    // One plan if the partner has most of all items, another if others have most.
    for (const scope of [1, 2]) {
      const found = await gathered(scope, { search: [term] }, everything)
      expect(found.docs.map((doc) => (JSON.parse(doc) as OwnItem).qid)).toEqual(expected)
      expect(found.total).toBe(expected.length)
    }
  })

  test('finds a part of the SKU and a part of the name together', async () => {
    const found = await gathered(1, { search: ['alpha'], sku: ['ku-14'] }, { limit: 3, offset: 2 })
    const expected = all.filter((item) => item.name.includes('Alpha') && item.sku.includes('KU-14'))
    expect(found.total).toBe(expected.length)
    expect(found.docs.map((doc) => (JSON.parse(doc) as OwnItem).qid)).toEqual(
      expected.slice(2, 5).map(({ qid }) => qid),
    )
  })
})

const all: OwnItem[] = Array.from({ length: items }, (_, n) => itemAt(n))

function itemAt(n: number): OwnItem {
  const word = n % 7 === 0 ? 'Alpha' : 'Beta'
  const name = `Common Card ${word} ${n}${n % 700 === 0 ? ' Rare Bird' : ''}`
  const intake_at = new Date(Date.parse('2026-05-01') + n).toISOString()
  return itemOf({ name, sku: `SKU-${n}`, intake_at }, `Q-${n}`, '2026-05-01T00:00:00.000Z')
}

/** What the server would know after autovacuum if all others had none. */
function tellThatScopeHasMost(scope: number): (tx: Tx) => Promise<void> {
  return async (tx) => {
    const at = '2026-05-01T00:00:00.000Z'
    await tx.run(sql`insert into partners (id, name, created_at) values ('p', 'Northgate Cards', ${at})`)
    await tx.run(sql`
      insert into scopes (id, partner_id, environment, last_item_no, last_at, created_at)
      values (${scope}, 'p', 'sandbox', ${items * 40}, ${at}, ${at})`)
    await tx.run(sql`analyze items`)
  }
}

function entryOf(item: OwnItem, at: number) {
  const facts = { item_no: at + 1, manifest_id: null, transfer_id: null, condition_flags: [] }
  return { record: { ...facts, item }, doc: JSON.stringify(item) }
}
