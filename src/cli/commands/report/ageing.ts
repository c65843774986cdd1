import type { CommandFile, Session } from '../../command.ts'
import { bucketsOf, groupedByAge } from '../../report/holdings/groups.ts'
import { holdingsOf } from '../../report/holdings/held-items.ts'
import {
  groupColumns,
  groupPage,
  type ReportOptions,
  reportOptions,
  valuesOf,
} from '../../report/holdings/options.ts'
import { isPageWanted } from '../../report/page-files.ts'

type Options = ReportOptions & { at?: string; buckets: number[] }

export const command: CommandFile<[Options]> = {
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
  run,
}

async function run(session: Session, options: Options): Promise<void> {
  const isPage = isPageWanted(session, options)
  const values = await valuesOf(session, options)
  const { at, items } = await holdingsOf(session, options.at)
  values?.tell(session, items)
  const groups = groupedByAge(items, at, options.buckets, values)
  if (!isPage) return (await session.printer()).all(groups)
  await groupPage(session, options, { kind: 'Ageing', title: 'days', at }, groups)
}
