import { faultsMax } from '../../contract/limits.ts'
import { unknownQidMessage } from '../../domain/csv/csv-row-errors.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { conflict, type FieldErrors, notFound, type Refusal } from '../../domain/refusal.ts'
import { findItems, type ItemRecord, listAvailableOfSku } from '../../store/tables/items.ts'
import type { ReadContext } from '../context.ts'

/**
 * The partner's items of these QIDs, in their order, all of them available. Throws not_found where one is no item of the
 * partner's, however it fails to be, and a conflict that names those which are not available (decisions 10).
 */
export async function takeQids(view: ReadContext, sent: readonly string[]): Promise<ItemRecord[]> {
  const records = await itemsOf(view, sent)
  const taken = records.filter(({ item }) => item.status !== 'available')
  if (taken.length > 0) throw unavailable(taken)
  return records
}

/** So many available items of a SKU, oldest intake first. Throws a conflict where there are fewer (decisions 5, 10). */
export async function takeUnits(
  view: ReadContext,
  { sku, quantity }: { sku: string; quantity: number },
): Promise<ItemRecord[]> {
  const records = await listAvailableOfSku(view.tx, view.scope.id, sku, quantity)
  if (records.length === quantity) return records
  const available = records.length
  throw conflict(`${sku} has ${available} of the ${quantity} items asked for available.`, {
    availability: [{ sku, requested: quantity, available }],
  })
}

/** The partner's items of these QIDs, in their order. Throws not_found where one is no item of the partner's. */
export async function itemsOf(view: ReadContext, sent: readonly string[]): Promise<ItemRecord[]> {
  const qids = sent.map((text) => canonicalQid(text))
  if (!qids.every((qid) => qid !== null)) throw notFound()
  const found = new Map<string, ItemRecord>()
  for (const record of await findItems(view.tx, view.scope.id, qids)) found.set(record.item.qid, record)
  return qids.map((qid) => found.get(qid) ?? refuseUnknown())
}

/** The QIDs that name none of the partner's items, in the words of the CSV; at most as many as are told. */
export async function unknownQidFaults(
  view: ReadContext,
  sent: ReadonlyArray<string | undefined> = [],
): Promise<FieldErrors> {
  const qids = sent.map((text) => (text === undefined ? null : canonicalQid(text)))
  const found = await findItems(
    view.tx,
    view.scope.id,
    qids.filter((qid) => qid !== null),
  )
  const known = new Set(found.map(({ item }) => item.qid))
  const unknown = sent.flatMap((text, at) =>
    text === undefined || known.has(qids[at] ?? '') ? [] : [[`qids[${at}]`, [unknownQidMessage]] as const],
  )
  return Object.fromEntries(unknown.slice(0, faultsMax).map(([path, messages]) => [path, [...messages]]))
}

function refuseUnknown(): never {
  throw notFound()
}

function unavailable(records: readonly ItemRecord[]): Refusal {
  const [first] = records
  const message =
    records.length === 1
      ? `${first?.item.qid} is ${first?.item.status}, not available.`
      : `${records.length} of these items are not available.`
  const availability = records.map(({ item: { qid, status } }) => {
    return { qid, status, requested: 1, available: 0 }
  })
  return conflict(message, { availability })
}
