import { type Json, json } from '../../contract/call.ts'
import type { TransferStatus } from '../../contract/enums.ts'
import type { Transfer, TransferCreate } from '../../contract/resources/fulfillment.ts'
import { rejectTransferMove } from '../../domain/fulfillments/fulfillment.ts'
import { itemsAsked, repeatedQidFaults, unknownQidFaults } from '../../domain/fulfillments/fulfillment-csv.ts'
import { assert, existing, type FieldErrors, type Given, invalid } from '../../domain/rejection.ts'
import { findDoc, listDocs } from '../../store/tables/documents.ts'
import { saveTransfer, transferFilters } from '../../store/tables/fulfillments.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import type { Handler, Opener, ReadContext, Rest, UnitOfWork } from '../context.ts'
import { loadDoc, sliceOf } from '../context.ts'
import { moveItem } from '../items/items.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { itemsOf, type Shelf, stockShelf, takeAll } from './stock-allocation.ts'

/** GET /transfers (4.5): newest first. */
export const listTransfers: Handler<'listTransfers', 'query'> = (view, { query }) =>
  listDocs(view.tx, 'transfers', transferFilters, query, sliceOf(query))

export const getTransfer: Handler<'getTransfer'> = (view, { params }) =>
  loadDoc(view, 'transfers', params.transfer_id)

/** POST /transfers (decisions 10): offers available items back; they are held until the decision. */
export const requestTransfer: Handler<'requestTransfer'> = async (work, { body }) => {
  const asked = itemsAsked({ qids: body.qids })
  const shelf = await stockShelf(work, asked)
  if (Object.keys(repeatedQidFaults(asked)).length > 0) throw invalid(faultsOf(asked, shelf))
  const wanted = asked.map((each) => each.wanted)
  return openTransfer(work, body.external_ref ?? null, await takeAll(work, shelf, wanted))
}

/** Faults beyond the schema; unknown QIDs as in an order (fulfillments.ts). */
export async function transferFaults(
  view: ReadContext,
  { qids }: Given<TransferCreate>,
): Promise<FieldErrors> {
  const asked = itemsAsked({ qids })
  return faultsOf(asked, await stockShelf(view, asked))
}

function faultsOf(asked: ReturnType<typeof itemsAsked>, shelf: Shelf): FieldErrors {
  return { ...unknownQidFaults(asked, (qid) => shelf.items.has(qid)), ...repeatedQidFaults(asked) }
}

/** POST /transfers/{transfer_id}/cancel (decisions 10): while requested; its items become available again. */
export const cancelTransfer: Opener<'cancelTransfer'> = (view, { params }) =>
  endTransfer(view, params.transfer_id, 'cancelled')

/** The caller has checked that the items are available. */
export async function openTransfer(
  work: UnitOfWork,
  externalRef: string | null,
  items: readonly ItemRecord[],
): Promise<Json<Transfer>> {
  assert(items.length > 0, 'a transfer has items', externalRef)
  for (const { item, transfer_id } of items) {
    assert(item.status === 'available', 'an item of a new transfer was available', item.qid, item.status)
    assert(transfer_id === null, 'an item is in one transfer', item.qid, transfer_id)
  }
  const transfer: Transfer = {
    id: work.newId(),
    qids: items.map(({ item }) => item.qid),
    status: 'requested',
    type: 'sell_back',
    external_ref: externalRef,
    created_at: work.now,
    updated_at: work.now,
  }
  return takeTransferStep(work, transfer, items)
}

/** Ends a requested transfer. Throws `not_found`, or a conflict in any other state (3.5). */
export async function moveTransfer(
  work: UnitOfWork,
  id: string,
  to: TransferStatus,
): Promise<Json<Transfer>> {
  return (await endTransfer(work, id, to))(work)
}

export async function endTransfer(
  { tx }: ReadContext,
  id: string,
  to: TransferStatus,
): Promise<Rest<Json<Transfer>>> {
  const doc = await findDoc(tx, 'transfers', id.toLowerCase())
  return async (work) => {
    const before: Transfer = JSON.parse(existing(doc))
    rejectTransferMove(before.status, to)
    work.count('transfers', before.status, -1)
    const after: Transfer = { ...before, status: to, updated_at: work.now }
    const items = await itemsOf(work, before.qids)
    for (const { item, transfer_id: held } of items)
      assert(held === before.id, 'an item is in the transfer that ends', item.qid, held, before.id)
    return takeTransferStep(work, after, items)
  }
}

/** Saves the transfer and emits its event, then moves its items and emits theirs (decisions 7). */
async function takeTransferStep(
  work: UnitOfWork,
  transfer: Transfer,
  items: readonly ItemRecord[],
): Promise<Json<Transfer>> {
  const doc = json(transfer)
  const { id, qids, status, created_at, updated_at } = transfer
  assert(items.length === qids.length, 'every item of a transfer exists', id)
  assert(new Set(qids).size === qids.length, 'a transfer has each item once', id)
  assert(updated_at >= created_at, 'a transfer never changes before its creation', id, created_at, updated_at)
  await saveTransfer(work.tx, transfer, doc)
  work.count('transfers', status, 1)
  work.emit(`transfer.${status}`, doc)
  const transfer_id = status === 'requested' ? id : null
  for (const record of items) {
    const { item } = await moveItem(work, record, `transfer_${status}`, { facts: { transfer_id } })
    const isHeld = item.status === 'pending_transfer'
    assert(isHeld === (transfer_id !== null), 'an item names the transfer that holds it', item.qid, id)
    await yieldToEventLoop()
  }
  return doc
}
