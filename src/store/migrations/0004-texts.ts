import { searchText, skuText } from '../../domain/items/search-text.ts'
import { containing, sql, type Tx } from '../database.ts'
import { searchOf } from '../search-of.ts'

/** Migration 4: search texts folded by new rules (decisions 12) that older processes lack; covering indexes on SQLite. */
export const texts = `
update scopes set schema_version = 4;
{{texts}}
`

/** Indexes of held items include the texts and all filtered columns, so that a search with many hits reads no item. */
export const sqliteTexts = `
drop index items_held_by_intake;
create index items_held_by_intake
  on items (scope_id, held, intake_at, item_no, search_text, sku_fold, status, grader_key);
drop index items_held_by_update;
create index items_held_by_update
  on items (scope_id, held, updated_at, item_no, search_text, sku_fold, status, grader_key, intake_at);
`

type ItemRow = {
  scope_id: number
  item_no: number
  sku_fold: string
  search_text: string
  doc: string
}

const rowsAtOnce = 1000

/** Skips ASCII texts: they fold as before. */
export async function foldTexts(tx: Tx): Promise<void> {
  const separated = containing('\u001f')
  for (let after = { scope_id: 0, item_no: 0 }; ; ) {
    const rows = await tx.all<ItemRow>(sql`
      select scope_id, item_no, sku_fold, search_text, doc from items
      where (scope_id, item_no) > (${after.scope_id}, ${after.item_no})
        and (octet_length(doc) <> length(doc) or search_text like ${separated})
      order by scope_id, item_no limit ${rowsAtOnce}`)
    for (const row of rows) await fold(tx, row)
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}

async function fold(tx: Tx, { scope_id, item_no, sku_fold, search_text, doc }: ItemRow): Promise<void> {
  const item = JSON.parse(doc) as { name: string; sku: string }
  const text = searchText(item)
  if (text === search_text && skuText(item.sku) === sku_fold) return
  await tx.change(sql`
    update items set search_text = ${text}, sku_fold = ${skuText(item.sku)}
    where scope_id = ${scope_id} and item_no = ${item_no}`)
  await searchOf(tx).remove(tx, scope_id, [{ item_no, text: search_text }])
  await searchOf(tx).insert(tx, scope_id, [{ item_no, text }])
}
