import type { Json } from '../../contract/call.ts'
import type { Environment, ItemStatus } from '../../contract/enums.ts'
import type { Item } from '../../contract/resources/item.ts'
import { certKey } from '../../domain/graders/certificate.ts'
import { graderKey } from '../../domain/graders/graders.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { searchText, skuText } from '../../domain/items/search-text.ts'
import { assert } from '../../domain/rejection.ts'
import { allAmong, asked, insertRecords, join, padded, raw, type ScopedTx, sql } from '../database.ts'
import { searchOf } from '../search-of.ts'

/** Stored facts of an item that its JSON lacks. */
export type ItemFacts = {
  item_no: number
  /** The manifest it was attributed to at intake, matched or not. */
  manifest_id: string | null
  transfer_id: string | null
  /** Flags of its last intake. */
  condition_flags: readonly string[]
}

/** An item whose status this version knows. */
export type OwnItem = Item & { status: ItemStatus }

export type ItemRecord = ItemFacts & { item: OwnItem }

export type PartnersItem = { scope_id: number; partner_name: string; item: OwnItem }

type ItemRow = Omit<ItemFacts, 'condition_flags'> & { condition_flags: string; doc: string }

const recordColumns = sql`item_no, manifest_id, transfer_id, condition_flags, doc`

/** Also indexes them for `search` and `sku`. */
export async function insertItems(
  tx: ScopedTx,
  entries: ReadonlyArray<{ record: ItemRecord; doc: Json<Item> }>,
): Promise<void> {
  if (entries.length === 0) return
  for (const { record, doc } of entries)
    assert(doc.includes(record.item.qid), 'a document belongs to its item', record.item.qid)
  const rows = entries.map(({ record, doc }) => ({
    scope_id: tx.scope,
    item_no: record.item_no,
    ...lastingColumns(record.item),
    ...changingColumns(record.item),
    ...factColumns(record),
    doc,
  }))
  await insertRecords(tx, 'items', rows)
  const texts = entries.map(({ record }) => ({ item_no: record.item_no, text: searchText(record.item) }))
  await searchOf(tx).insert(tx, texts)
}

export async function findTakenQids(tx: ScopedTx, qids: readonly string[]): Promise<string[]> {
  return allAmong(qids, 512, (some) =>
    tx.values(sql`select qid from items where scope_id = ${tx.scope} and qid in (${join(padded(some))})`),
  )
}

/** `before`: the stored record. Name, SKU, and certificate stay as they were at the first intake. */
export async function updateItem(
  tx: ScopedTx,
  record: ItemRecord,
  before: ItemRecord,
  doc: Json<Item>,
): Promise<void> {
  assert(doc.includes(record.item.qid), 'a document belongs to its item', record.item.qid)
  assert(doc.includes(record.item.status), 'a document has the status of its item', record.item.qid)
  const old = { ...changingColumns(before.item), ...factColumns(before) }
  const columns = Object.entries({ ...changingColumns(record.item), ...factColumns(record) })
  // SQLite updates the indexes of every column that is set, even to the same value.
  const changed = columns.filter(([name, value]) => old[name as keyof typeof old] !== value)
  const changes = [...changed, ['doc', doc] as const].map(([name, value]) => sql`${raw(name)} = ${value}`)
  await tx.change(sql`
    update items set ${join(changes)} where scope_id = ${tx.scope} and item_no = ${record.item_no}`)
}

/** The only place that derives columns from the document, for storing and for checking. */
export function itemColumns(item: OwnItem) {
  return { ...lastingColumns(item), ...changingColumns(item) }
}

function lastingColumns(item: Item) {
  return {
    qid: item.qid,
    type: item.type,
    sku: item.sku,
    sku_fold: skuText(item.sku),
    search_text: searchText(item),
    cert_key: item.cert_number === null ? null : certKey(item.cert_number),
    grader_key: item.grader === null ? null : graderKey(item.grader),
  }
}

function changingColumns(item: OwnItem) {
  return {
    status: item.status,
    held: isHeld(item.status) ? 1 : 0,
    line_id: item.manifest_line_id,
    fulfillment_id: item.active_fulfillment_id,
    intake_at: item.intake_at,
    updated_at: item.updated_at,
  }
}

function factColumns({ manifest_id, transfer_id, condition_flags }: ItemFacts) {
  return { manifest_id, transfer_id, condition_flags: JSON.stringify(condition_flags) }
}

/** `qid` in canonical form. */
export async function findItem(tx: ScopedTx, qid: string): Promise<ItemRecord | undefined> {
  const row = await tx.get<ItemRow>(sql`
    select ${recordColumns} from items
    where scope_id = ${tx.scope} and qid = ${qid}`)
  return row && recordOf(row)
}

/** In no particular order. */
export function findItems(tx: ScopedTx, qids: readonly string[]): Promise<ItemRecord[]> {
  return allAmong(qids, 500, async (some) => {
    const rows = await tx.all<ItemRow>(sql`
      select ${recordColumns} from items where scope_id = ${tx.scope} and qid in (${join(some)})`)
    return rows.map(recordOf)
  })
}

/** Of every partner in the environment or the own alone, by QIDs or certificates in canonical form: held items first, then own ones, then the newest. */
export function listOfPartners(
  tx: ScopedTx,
  environment: Environment,
  by: 'qid' | 'cert_key',
  keys: readonly string[],
  whose: 'own' | 'all' = 'all',
): Promise<PartnersItem[]> {
  // SQLite takes at most 32,766 parameters.
  return allAmong(keys, 16_384, async (some) => {
    const partners = sql`scopes s join partners p on p.id = s.partner_id`
    // SQLite joins in this order: it looks up few keys for each partner, and reads the whole index once for many. Of `k` it reads the index only.
    const readsAll = whose === 'all' && some.length > 512
    const found = readsAll ? sql`items k cross join ${partners}` : sql`${partners} cross join items k`
    const isWanted = whose === 'own' ? sql`s.id = ${tx.scope}` : sql`s.environment = ${environment}`
    const rows = await tx.all<Omit<PartnersItem, 'item'> & { doc: string }>(sql`
      select s.id as scope_id, p.name as partner_name, i.doc
      from ${found} cross join items i
      where ${isWanted} and k.scope_id = s.id and k.${raw(by)} in (${join(padded(some))})
        and i.scope_id = s.id and i.item_no = k.item_no
      order by i.held desc, s.id <> ${tx.scope}, i.item_no desc`)
    return rows.map(({ doc, ...of }) => ({ ...of, item: JSON.parse(doc) }))
  })
}

/** In any status: at most `each` of a certificate, held ones first, then the newest. */
export async function listByCert(
  tx: ScopedTx,
  certKeys: readonly string[],
  each: number,
): Promise<Array<Json<Item>>> {
  return allAmong(certKeys, 500, (some) =>
    tx.values(sql`
      select doc from (
        select doc, cert_key, row_number() over (partition by cert_key order by held desc, item_no desc) as place
        from items where scope_id = ${tx.scope} and cert_key in (${join(some)})) ranked
      where place <= ${each} order by cert_key, place`),
  )
}

/** An item's place among those of its SKU, by age. */
export type IntakePlace = { intake_at: string; item_no: number }

/** The available item with the oldest intake of each SKU, if any, in one query. */
export async function findOldestAvailable(
  tx: ScopedTx,
  skus: readonly string[],
): Promise<Map<string, ItemRecord>> {
  const rows = await allAmong(skus, 128, (some) =>
    tx.all<ItemRow>(sql`
      ${asked(some)}
      select ${recordColumns}
      from (
        select (select o.item_no from items o where o.scope_id = ${tx.scope} and o.sku = a.k and o.status = 'available'
          order by o.intake_at, o.item_no limit 1) as oldest
        from asked a) n
      cross join items i where i.scope_id = ${tx.scope} and i.item_no = n.oldest`),
  )
  return new Map(rows.map(recordOf).map((record) => [record.item.sku, record]))
}

/** Available items of a SKU, oldest intake first (decisions 5), starting after `after`. */
export async function listAvailableOfSku(
  tx: ScopedTx,
  sku: string,
  limit: number,
  after: IntakePlace = { intake_at: '', item_no: 0 },
): Promise<ItemRecord[]> {
  const rows = await tx.all<ItemRow>(sql`
    select ${recordColumns} from items
    where scope_id = ${tx.scope} and sku = ${sku} and status = 'available'
      and (intake_at, item_no) > (${after.intake_at}, ${after.item_no})
    order by intake_at, item_no limit ${limit}`)
  return rows.map(recordOf)
}

function recordOf({ doc, condition_flags, ...facts }: ItemRow): ItemRecord {
  return { ...facts, condition_flags: JSON.parse(condition_flags), item: JSON.parse(doc) }
}
