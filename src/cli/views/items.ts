import type { ImageAsset, IntakeEvent, InventoryLevel, Item } from '../../contract/resources/item.ts'
import { resourceFields } from '../base/schema-fields.ts'
import { type BarParts, columnsOf, type View } from '../output/columns.ts'

export const itemList: View = {
  columns: columnsOf<Item>(
    { name: 'qid', kind: 'id' },
    'status',
    { name: 'name', kind: 'long' },
    'grader',
    'grade',
    { name: 'cert_number', title: 'cert', kind: 'id' },
    'sku',
    { name: 'intake_at', title: 'intake' },
  ),
}

export const itemRecord: View = {
  columns: columnsOf<Item>(
    { name: 'qid', kind: 'id' },
    'status',
    'type',
    'name',
    'sku',
    'grader',
    'grade',
    'cert_number',
    'category',
    'set',
    'card_number',
    'external_ref',
    'manifest_line_id',
    'active_fulfillment_id',
    'intake_at',
    'updated_at',
  ),
  parts: [
    {
      name: 'image_assets',
      title: 'Images',
      columns: columnsOf<ImageAsset>(
        'variant',
        'format',
        { name: 'size', of: ({ width, height }) => [width, height].filter(Boolean).join('×') },
        { name: 'url', kind: 'id' },
      ),
    },
  ],
}

export const intakeList: View = {
  columns: columnsOf<IntakeEvent & { manifest: string | null }>(
    { name: 'intake_at', title: 'intake' },
    { name: 'qid', kind: 'id' },
    { name: 'manifest', kind: 'id' },
    { name: 'condition_flags', title: 'flags' },
    { name: 'item.name', title: 'name', kind: 'long' },
    { name: 'item.grader', title: 'grader' },
    { name: 'item.grade', title: 'grade' },
    { name: 'item.cert_number', title: 'cert', kind: 'id' },
    { name: 'item.sku', title: 'sku' },
  ),
}

/** Omits the manifest, which the command itself named. */
export const arrivalList: View = {
  columns: intakeList.columns.filter(({ name }) => name !== 'manifest'),
  fields: () => resourceFields('listIntakes'),
}

export const inventoryList: View = {
  columns: columnsOf<InventoryLevel & { name: string | null }>(
    { name: 'sku', kind: 'id' },
    { name: 'on_hand', kind: 'number' },
    { name: 'available', kind: 'number' },
    { name: 'allocated', kind: 'number' },
    { name: 'name', kind: 'long' },
  ),
  bar: { title: '█ available ▒ alloc. ░ other', parts: stockParts },
}

/** The rest of the units on hand is still being received. */
function stockParts({ on_hand, available, allocated }: InventoryLevel): BarParts {
  return [
    { sign: '█', units: available },
    { sign: '▒', units: allocated },
    { sign: '░', units: on_hand - available - allocated },
  ]
}
