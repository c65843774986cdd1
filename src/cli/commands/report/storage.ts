import type { CommandFile, Session } from '../../command.ts'
import { scopeTime } from '../../connection/scope-time.ts'
import { readingLog } from '../../database/long-work.ts'
import { columnsOf } from '../../output/columns.ts'
import { type ReportOptions, reportOptions, valuesOf } from '../../report/holdings/options.ts'
import { daysOfMonth, type StorageDay, storageOf } from '../../report/holdings/storage-days.ts'
import { isPageWanted, type PageFiles, writePages } from '../../report/page-files.ts'

type Options = ReportOptions & { month: string; rate?: string }

export const command: CommandFile<[Options]> = {
  summary: 'Count the item-days of a month, for a storage bill',
  details:
    'Lists each day (UTC) with the items that the warehouse stored at its end: one item-day each. Items on their way to a ' +
    'customer do not count. --rate multiplies the item-days by a price. custody reads the event log from its beginning.',
  examples: [
    'report storage --month 2026-10',
    'report storage --month 2026-10 --rate 0.02 --output csv > october.csv',
    'report storage --month 2026-10 --html october.html',
  ],
  define: (report) =>
    reportOptions(
      report
        .requiredOption('--month <month>', 'Month, as in 2026-11')
        .option('--rate <price>', 'Price of one item-day, as in 0.02'),
    ),
  view: (_, options) => ({
    columns: columnsOf<StorageDay>(
      'date',
      { name: 'item_days', kind: 'number' },
      { name: 'arrived', kind: 'number' },
      { name: 'left', kind: 'number' },
      ...(options?.values === undefined ? [] : [{ name: 'value', kind: 'number' } as const]),
      ...(options?.rate === undefined ? [] : [{ name: 'charge', kind: 'number' } as const]),
    ),
  }),
  async run(session, options) {
    const { month, rate } = options
    const isPage = isPageWanted(session, options)
    const values = await valuesOf(session, options)
    const { client } = await session.target()
    const { days, isWhole } = daysOfMonth(month, await scopeTime(session))
    const rows = await readingLog(session.io, (onRows) => storageOf(client, days, { values, rate, onRows }))
    if (!isWhole) session.notice(`${month} is not over: days up to ${days.at(-1)}`)
    if (!isPage) return (await session.printer()).all(rows)
    await writeStorage(session, options, month, rows, days.at(-1) ?? '')
  },
}

async function writeStorage(
  session: Session,
  files: PageFiles,
  month: string,
  rows: readonly StorageDay[],
  last: string,
): Promise<void> {
  const { chartPage } = await import('../../report/holdings/chart-page.ts')
  const { countText, numberColumn, textColumn } = await import('../../report/report-tables.ts')
  const { pageOptions } = await import('../../report/page.ts')
  const total = rows.at(-1)
  const columns = [
    textColumn<StorageDay>('Date', 20, ({ date }) => date),
    numberColumn<StorageDay>('Item-days', 20, ({ item_days }) => item_days),
    numberColumn<StorageDay>('Arrived', 20, ({ arrived }) => arrived),
    numberColumn<StorageDay>('Left', 20, ({ left }) => left),
    ...(total?.charge === null ? [] : [numberColumn<StorageDay>('Charge', 20, ({ charge }) => charge)]),
  ]
  const tiles = [
    { label: 'Item-days', text: countText(total?.item_days ?? 0) },
    ...(total?.charge == null ? [] : [{ label: 'Charge', text: countText(total.charge) }]),
  ]
  const report = {
    kind: 'Storage',
    heading: month,
    at: `${last}T23:59:59Z`,
    tiles,
    bars: rows.slice(0, -1).map(({ date, item_days }) => ({ label: date.slice(8), units: item_days })),
    columns,
    rows,
    foot: 'An item-day is one item in the warehouse at the end of one day (UTC).',
  }
  await writePages(session, files, `the storage of ${month}`, chartPage(report, await pageOptions(session)))
}
