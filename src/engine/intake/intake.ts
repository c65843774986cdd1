import { type Json, json } from '../../contract/call.ts'
import type { IntakeEvent, Item } from '../../contract/resources/item.ts'
import { assert } from '../../domain/rejection.ts'
import { insertIntakes } from '../../store/tables/intakes.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import type { UnitOfWork } from '../context.ts'

/** The change when an item repeats intake (3.3): no fulfillment holds it; its manifest line stays. */
export function intakeChange({ now }: UnitOfWork) {
  return { item: { active_fulfillment_id: null, intake_at: now }, facts: { condition_flags: [] } }
}

/** Records intakes (2.6) with the item as it was then, and emits the same bytes (decisions 11). */
export async function recordIntakes(
  work: UnitOfWork,
  entries: ReadonlyArray<{ record: ItemRecord; doc: Json<Item> }>,
): Promise<Array<Json<IntakeEvent>>> {
  const intakes = entries.map(({ record, doc }) => {
    const { item, manifest_id, condition_flags } = record
    assert(item.status === 'received', 'an intake has a received item', item.qid, item.status)
    assert(item.active_fulfillment_id === null, 'a received item is on no order', item.qid)
    assert(item.intake_at === work.now, 'an intake has the current time', item.qid, item.intake_at, work.now)
    assert(doc.startsWith('{'), 'an intake has its item', item.qid, doc)
    const head = {
      qid: item.qid,
      intake_at: item.intake_at,
      manifest_id,
      manifest_line_id: item.manifest_line_id,
      condition_flags: [...condition_flags],
    }
    const intake: Json<IntakeEvent> = `${json(head).slice(0, -1)},"item":${doc}}`
    return { intake_no: work.nextIntakeNo(), event: { ...head, item }, doc: intake }
  })
  await insertIntakes(work.tx, work.scope.id, intakes)
  for (const { doc } of intakes) work.emit('item.intake.completed', doc)
  work.count('intakes', '', intakes.length)
  return intakes.map(({ doc }) => doc)
}
