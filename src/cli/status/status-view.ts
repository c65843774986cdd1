import { receivedUnits } from '../find/find-by-reference.ts'
import { type Column, columnsOf, type View } from '../output/columns.ts'
import { fulfillmentList, transferList } from '../views/fulfillments.ts'
import type { Morning } from './morning.ts'

type Open = Morning['manifests'][number]
type Troubled = Morning['fulfillments'][number]

const counts: ReadonlyArray<[keyof Omit<Morning, 'now'>, string]> = [
  ['manifests', 'open manifests'],
  ['fulfillments', 'fulfillments with problems'],
  ['transfers', 'transfers waiting'],
  ['webhooks', 'webhooks failing'],
  ['inventory', 'products sold out'],
]

export const statusView: View = {
  columns: columnsOf<Morning>(
    ...counts.map(([name, title]) => ({ name, title, of: (morning: Morning) => morning[name].length })),
  ),
  parts: [
    {
      name: 'manifests',
      title: 'Open manifests',
      columns: columnsOf<Open>(
        { name: 'reference', kind: 'id' },
        { name: 'status', kind: 'status' },
        { name: 'received', of: received },
        { name: 'closes', of: closes },
        { name: 'source' },
      ),
    },
    {
      name: 'fulfillments',
      title: 'Fulfillments with problems',
      columns: [
        ...named(fulfillmentList, ['external_ref', 'status']),
        ...columnsOf<Troubled>({ name: 'trouble', title: 'problem', kind: 'long', of: trouble }),
        ...named(fulfillmentList, ['recipient', 'tracking_number', 'id']),
      ],
    },
    { name: 'transfers', title: 'Transfers waiting', columns: transferList.columns },
    {
      name: 'webhooks',
      title: 'Webhooks failing',
      columns: columnsOf<Morning['webhooks'][number]>(
        { name: 'url', kind: 'long' },
        { name: 'active' },
        { name: 'dead', title: 'given up', kind: 'number' },
        { name: 'id', kind: 'id' },
      ),
    },
    {
      name: 'inventory',
      title: 'Products sold out',
      columns: columnsOf<Morning['inventory'][number]>(
        { name: 'sku', kind: 'id' },
        { name: 'on_hand', kind: 'number' },
        { name: 'allocated', kind: 'number' },
      ),
    },
  ],
}

function received({ totals }: Open): string {
  if (totals === null) return ''
  return `${receivedUnits(totals)} of ${totals.expected}`
}

function closes({ days_left, closes_on }: Open): string {
  if (days_left === null) return 'when you close it'
  if (days_left <= 0) return 'today'
  return `${closes_on}, in ${days_left} ${days_left === 1 ? 'day' : 'days'}`
}

function trouble({ issue, is_late, deliver_by }: Troubled): string {
  const late = is_late ? `was due ${deliver_by}` : ''
  return [issue && `${issue.code}: ${issue.message}`, late].filter(Boolean).join('; ')
}

function named({ columns }: View, names: readonly string[]): Column[] {
  return columns.filter(({ name }) => names.includes(name))
}
