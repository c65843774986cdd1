import { type ItemStatus, itemStatuses } from '../../../contract/enums.ts'
import type { ItemSummary } from '../../../contract/resources/item.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type WatchOptions, watchable, watched } from '../../list/watch.ts'
import { columnsOf, type View } from '../../output/columns.ts'

export const command: CommandFile<[WatchOptions]> = {
  summary: 'Count items by status',
  details: 'held counts those in custody, as report holdings does; total includes those that have left.',
  examples: ['items summary', 'items summary --json', 'items summary --watch 5'],
  define: watchable,
  view: () => view,
  async run(session, options) {
    await watched(session, options, print)
  },
}

const view: View = {
  columns: columnsOf<Row>('status', { name: 'items', kind: 'number' }),
  bar: {
    title: '',
    parts: ({ status, items }: Row) => [{ sign: '█', units: sums.has(status) ? 0 : items }],
  },
}

const sums: ReadonlySet<string> = new Set(['held', 'total'])

type Row = { status: string; items: number }

async function print(session: Session): Promise<void> {
  const { client } = await session.target()
  const { data } = await client.getItemSummary({})
  const printer = await session.printer()
  if (printer.isWhole) return printer.one(data)
  await printer.all(rowsOf(data))
}

/** In the order of an item's life, with statuses that this version does not know at the end. */
function rowsOf({ total, by_status: counts }: ItemSummary): Row[] {
  const names = [...new Set([...itemStatuses, ...Object.keys(counts)])]
  const rows = names.map((status) => ({ status, items: counts[status] ?? 0 }))
  const held = rows.reduce((sum, { status, items }) => sum + (isHeld(status as ItemStatus) ? items : 0), 0)
  return [...rows, { status: 'held', items: held }, { status: 'total', items: total }]
}
