import type { ItemStatus } from '../../src/contract/enums.ts'
import { gradedSku, makeQid, qidRandomBytes } from '../../src/domain/items/qid.ts'
import type { UnitOfWork } from '../../src/engine/context.ts'
import { changedItem, saveItems } from '../../src/engine/items/items.ts'
import type { OwnItem } from '../../src/store/tables/items.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import type { Harness } from './harness.ts'
import { itemOf } from './stored-items.ts'
import { withWork } from './with-work.ts'

/** A product if a SKU is given, otherwise a slab. */
export type Placed = { sku?: string; status?: Extract<ItemStatus, 'received' | 'digitized' | 'available'> }

/**
 * Items already in custody, available unless stated otherwise, without events. In any environment, for tests of what follows
 * intake.
 */
export async function shelve(
  harness: Pick<Harness, 'db' | 'sources' | 'scope'>,
  items: readonly Placed[],
  scope: Scope = harness.scope,
): Promise<OwnItem[]> {
  return withWork(
    harness,
    async (work) => {
      const placed: OwnItem[] = []
      for (const wanted of items) placed.push(await place(work, wanted))
      return placed
    },
    scope,
  )
}

async function place(work: UnitOfWork, { sku, status = 'available' }: Placed): Promise<OwnItem> {
  const item_no = work.nextItemNo()
  const card = { name: 'Charizard', set: 'Base Set', card_number: '4/102', grader: 'PSA', grade: '9' }
  const slab = { ...card, sku: gradedSku(card), cert_number: String(10_000_000 + item_no) }
  const given = sku === undefined ? slab : { name: `Product ${sku}`, sku }
  const item = itemOf({ ...given, status }, makeQid(work.random(qidRandomBytes)), work.now)
  const record = { item, item_no, manifest_id: null, transfer_id: null, condition_flags: [] }
  await saveItems(work, [changedItem(work, record, undefined)])
  return item
}
