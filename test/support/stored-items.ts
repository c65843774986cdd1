import { makeQid, qidRandomBytes } from '../../src/domain/items/qid.ts'
import { changedItem, saveItems } from '../../src/engine/items/items.ts'
import type { OwnItem } from '../../src/store/tables/items.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import type { Harness } from './harness.ts'
import { withWork } from './with-work.ts'

/** An item's fields; a slab if it has a certificate or a grader. */
export type StoredItem = Partial<Omit<OwnItem, 'type' | 'model_3d'>>

/** Items in the database, whatever way could lead there; without events. */
export function storeItems(
  harness: Harness,
  items: readonly StoredItem[],
  scope: Scope = harness.scope,
): Promise<OwnItem[]> {
  return withWork(
    harness,
    async (work) => {
      const stored: OwnItem[] = []
      for (const given of items) {
        const item_no = work.nextItemNo()
        const item = itemOf(given, makeQid(work.random(qidRandomBytes)), work.now)
        const facts = { item_no, manifest_id: null, transfer_id: null, condition_flags: [] }
        await saveItems(work, [changedItem(work, { ...facts, item }, undefined)])
        stored.push(item)
      }
      return stored
    },
    scope,
  )
}

/** One such item, not stored. */
export function itemOf(given: StoredItem, qid: string, now: string): OwnItem {
  const isSlab = (given.cert_number ?? given.grader ?? null) !== null
  const identity = isSlab
    ? { type: 'graded_slab', cert_number: '10000001', grade: '10', grader: 'PSA' }
    : { type: 'product', cert_number: null, grade: null, grader: null }
  return {
    qid,
    ...identity,
    name: 'Elite Trainer Box',
    sku: 'ETB-1',
    status: 'available',
    set: null,
    card_number: null,
    external_ref: null,
    manifest_line_id: null,
    active_fulfillment_id: null,
    image_assets: [],
    intake_at: now,
    updated_at: now,
    model_3d: null,
    ...given,
  } as OwnItem
}
