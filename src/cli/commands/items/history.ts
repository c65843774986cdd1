import type { CommandFile } from '../../command.ts'
import { readingLog } from '../../database/long-work.ts'
import { type ItemHistory, itemHistory } from '../../items/item-history.ts'
import { columnsOf, fieldsOf, type View } from '../../output/columns.ts'
import { isPageWanted, type PageFiles, pageFlags, writePages } from '../../report/page-files.ts'
import { summarised } from '../../report/print-report.ts'

type Options = PageFiles & { grader?: string }

const view: View = {
  columns: columnsOf<ItemHistory>(
    { name: 'qid', kind: 'id' },
    'status',
    'name',
    'grader',
    'grade',
    'cert_number',
    'sku',
    {
      name: 'earlier_qids',
      of: ({ qid, qids }: ItemHistory) => qids.filter((other) => other !== qid),
    },
  ),
  parts: [
    {
      name: 'history',
      title: 'History',
      isMain: true,
      columns: columnsOf<ItemHistory['history'][number]>(
        { name: 'at', title: 'time', kind: 'time' },
        'what',
        { name: 'reference', kind: 'id' },
        { name: 'details', kind: 'long' },
        { name: 'qid', kind: 'id' },
        { name: 'event_id', kind: 'id' },
      ),
      fields: () => fieldsOf<ItemHistory['history'][number]>('status', 'event_type'),
    },
  ],
}

export const command: CommandFile<[string, Options]> = {
  summary: 'Show everything that happened to an item',
  details:
    'Lists arrivals with their manifest line and flags, every status, order, return, and transfer, each with its time and the ' +
    'id of its event. A certificate covers every time that the slab was in custody. custody reads the event log from the ' +
    "item's arrival to its last change.\n\n" +
    'As CSV, it prints the history. --columns selects columns of the history, --summary-columns fields of the item. ' +
    '--html names no customers and no addresses.',
  examples: [
    'items history Q-7F3K-9M2P-X4TA',
    'items history 23062993 --html 23062993.html',
    'items history 23062993 --grader PSA --output csv > 23062993.csv',
  ],
  define: (history) =>
    pageFlags(summarised(history), 'one page for a buyer or an insurer')
      .argument('<item>', 'QID or certificate number')
      .option('--grader <name>', 'Grader of the certificate, if several graders use the number'),
  view: () => view,
  async run(session, given, options) {
    const isPage = isPageWanted(session, options)
    const { client } = await session.target()
    const item = await readingLog(session.io, (onRows) => itemHistory(client, given, options.grader, onRows))
    if (!isPage) return (await session.printer()).one(item)
    const { historyPage } = await import('../../items/history-page.ts')
    const { pageOptions } = await import('../../report/page.ts')
    const page = historyPage(item, await pageOptions(session))
    await writePages(session, options, `the history of ${item.qid}`, page)
  },
}
