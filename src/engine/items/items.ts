import { type Json, json } from '../../contract/call.ts'
import { type ItemStatus, itemStatuses } from '../../contract/enums.ts'
import type { Item, ItemSummary } from '../../contract/resources/item.ts'
import { graderKey } from '../../domain/graders/graders.ts'
import { type ItemCause, nextItemStatus, stockChange } from '../../domain/items/item-states.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { assert, existing } from '../../domain/rejection.ts'
import { sumItemsByStatus, tenDaysOf } from '../../store/tables/counts.ts'
import {
  findItem,
  type ItemFacts,
  type ItemRecord,
  insertItems,
  type OwnItem,
  updateItem,
} from '../../store/tables/items.ts'
import { type Handler, loadDoc, type ReadContext, type UnitOfWork } from '../context.ts'

/** GET /items/{qid} (4.3): a malformed QID is simply not found (decisions 2). */
export const getItem: Handler<'getItem'> = async (view, { params }) =>
  loadDoc(view, 'items', existing(canonicalQid(params.qid)), 'qid')

/** GET /items/summary (2.10): every status, from counters; `total` is their sum (decisions 7). */
export async function getItemSummary(view: ReadContext): Promise<Json<ItemSummary>> {
  const by_status = Object.fromEntries(itemStatuses.map((status) => [status, 0])) as Record<
    ItemStatus,
    number
  >
  let total = 0
  for (const { status, n } of await sumItemsByStatus(view.tx)) {
    by_status[status] += n
    total += n
  }
  return json({ total, by_status })
}

/** `qid` in any spelling. Throws `not_found`. */
export async function loadItem(view: ReadContext, qid: string): Promise<ItemRecord> {
  return existing(await findItem(view.tx, existing(canonicalQid(qid))))
}

/** Adds (1) or removes (-1) an item in its counters: by status and grader, and by both times. */
export function countItem(work: Pick<UnitOfWork, 'count'>, item: Item, by: 1 | -1): void {
  work.count('items', `${item.status}|${item.grader === null ? '' : graderKey(item.grader)}`, by)
  work.count('items_by_intake', `${tenDaysOf(item.intake_at)}|${item.status}`, by)
  work.count('items_by_update', `${tenDaysOf(item.updated_at)}|${item.status}`, by)
}

/** `before` is undefined for an arrival. */
export type ItemChange = { record: ItemRecord; doc: Json<Item>; before: ItemRecord | undefined }

type MoreChanges = { item?: Partial<OwnItem>; facts?: Partial<ItemFacts> }

export async function moveItem(
  work: UnitOfWork,
  record: ItemRecord,
  cause: ItemCause,
  changes?: MoreChanges,
): Promise<ItemRecord> {
  const moved = movedItem(work, record, cause, changes)
  await saveItems(work, [moved])
  return moved.record
}

/** Moves an item along the cause's legal edge and emits `item.status.changed`. The caller checks permission and saves. */
export function movedItem(
  work: UnitOfWork,
  record: ItemRecord,
  cause: ItemCause,
  changes: MoreChanges = {},
): ItemChange {
  const status = nextItemStatus(record.item.status, cause)
  const item = { ...record.item, ...changes.item, status, updated_at: work.now } as OwnItem
  const moved = { ...record, ...changes.facts, item }
  assert(item.qid === record.item.qid, 'an item keeps its QID', record.item.qid, item.qid)
  assert(moved.item_no === record.item_no, 'an item keeps its number', item.qid, moved.item_no)
  const change = changedItem(work, moved, record)
  work.emit('item.status.changed', change.doc)
  return change
}

/** Updates the counters of an item that the caller saves. Emits nothing. */
export function changedItem(
  work: UnitOfWork,
  record: ItemRecord,
  before: ItemRecord | undefined,
): ItemChange {
  const { item } = record
  const { qid, sku } = item
  assert(record.item_no > 0, 'an item has a number', qid, record.item_no)
  assert(before === undefined || before.item.sku === sku, 'an item keeps its SKU', qid, before?.item.sku, sku)
  assert(
    before === undefined || before.item.cert_number === item.cert_number,
    'an item keeps its certificate',
    qid,
  )
  if (before) countItem(work, before.item, -1)
  countItem(work, item, 1)
  work.stock(sku, stockChange(before?.item.status ?? null, item.status), before === undefined)
  return { record, doc: json(item), before }
}

export async function saveItems({ tx }: UnitOfWork, changes: readonly ItemChange[]): Promise<void> {
  await insertItems(
    tx,
    changes.filter(({ before }) => before === undefined),
  )
  const asStored = changes.toSorted((one, other) => one.record.item_no - other.record.item_no)
  for (const { record, doc, before } of asStored) if (before) await updateItem(tx, record, before, doc)
}
