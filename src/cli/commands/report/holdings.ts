import { type Command, Option } from 'commander'
import type { HeldItem } from '../../../domain/items/log-state.ts'
import type { CommandFile } from '../../command.ts'
import { columnsOf, type View } from '../../output/columns.ts'
import { bucketsOf, type Grouping, groupedBy, groupedByAge, groupings } from '../../report/holdings/groups.ts'
import { holdingsOf } from '../../report/holdings/held-items.ts'
import {
  groupColumns,
  groupPage,
  type ReportOptions,
  reportOptions,
  valuesOf,
} from '../../report/holdings/options.ts'
import { isPageWanted } from '../../report/page-files.ts'
import { itemList } from '../../views/items.ts'

type HoldingsOptions = ReportOptions & { at?: string; by: Grouping; items?: boolean }

function viewOf(_format: unknown, options: Partial<HoldingsOptions> = {}): View {
  if (options.items)
    return {
      columns:
        options.values === undefined
          ? itemList.columns
          : [...itemList.columns, ...columnsOf<{ value: number | null }>({ name: 'value', kind: 'number' })],
    }
  return { columns: groupColumns(options.by ?? 'group', options.values !== undefined) }
}

export const holdings: CommandFile<[HoldingsOptions]> = {
  summary: 'Show what you hold, now or at an earlier time',
  details:
    'Counts the items in custody, including those on their way to a customer. The total equals held in items summary. --at computes ' +
    'the counts from the event log; a date means its end in UTC.',
  examples: [
    'report holdings',
    'report holdings --at 2026-10-31 --by grader',
    'report holdings --items --values collection.csv --output csv > holdings.csv',
    'report holdings --html holdings.html',
  ],
  define: (report: Command) =>
    reportOptions(
      report
        .option('--at <time>', 'A date, or a time (default: now)')
        .addOption(new Option('--by <field>', 'Group by this field').choices(groupings).default('status'))
        .option('--items', 'List every item instead of groups'),
    ),
  view: viewOf,
  async run(session, options) {
    const isPage = isPageWanted(session, options)
    const values = await valuesOf(session, options)
    const { at, items } = await holdingsOf(session, options.at)
    values?.tell(session, items)
    const groups = groupedBy(items, options.by, values)
    if (isPage) return groupPage(session, options, { kind: 'Holdings', title: options.by, at }, groups)
    const valued = (item: HeldItem) => {
      const cents = values?.of(item)
      return { ...item, value: cents === undefined ? null : cents / 100 }
    }
    const rows = values === undefined ? items : items.map(valued)
    await (await session.printer()).all(options.items ? rows : groups)
  },
}

type AgeingOptions = ReportOptions & { at?: string; buckets: number[] }

export const ageing: CommandFile<[AgeingOptions]> = {
  summary: 'Show how long your items have been in custody',
  details: 'Counts the items in custody by the days since their last arrival.',
  examples: [
    'report ageing',
    'report ageing --buckets 30,90,365 --values collection.csv',
    'report ageing --at 2026-10-31 --html ageing.html',
  ],
  define: (report) =>
    reportOptions(
      report
        .option('--at <time>', 'A date, or a time (default: now)')
        .option('--buckets <days>', 'Upper ends of the age groups', bucketsOf, bucketsOf('30,60,90,180')),
    ),
  view: (_, options) => ({ columns: groupColumns('days', options?.values !== undefined) }),
  async run(session, options) {
    const isPage = isPageWanted(session, options)
    const values = await valuesOf(session, options)
    const { at, items } = await holdingsOf(session, options.at)
    values?.tell(session, items)
    const groups = groupedByAge(items, at, options.buckets, values)
    if (!isPage) return (await session.printer()).all(groups)
    await groupPage(session, options, { kind: 'Ageing', title: 'days', at }, groups)
  },
}
