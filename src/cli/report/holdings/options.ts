import type { Command } from 'commander'
import { usage } from '../../base/cli-error.ts'
import type { Session } from '../../command.ts'
import { type Column, columnsOf } from '../../output/columns.ts'
import { type PageFiles, pageFlags, writePages } from '../page-files.ts'
import type { Group } from './groups.ts'
import type { Values } from './values.ts'

export type ReportOptions = PageFiles & { values?: string; valueColumn?: string }

export function reportOptions(command: Command): Command {
  command
    .option('--values <file>', 'Add your own values by certificate, from a CSV or XLSX file or an export')
    .option('--value-column <name>', 'Column of the values (default: detected)')
  return pageFlags(command, 'one page with a chart')
}

export async function valuesOf(session: Session, options: ReportOptions): Promise<Values | undefined> {
  const { values, valueColumn } = options
  if (values === undefined && valueColumn !== undefined) throw usage('--value-column needs --values.')
  if (values === undefined) return undefined
  const { readValues } = await import('./values.ts')
  return readValues(session, values, valueColumn)
}

export function groupColumns(title: string, hasValues: boolean): readonly Column[] {
  return columnsOf<Group>(
    { name: 'group', title },
    { name: 'items', kind: 'number' },
    ...(hasValues ? [{ name: 'value', kind: 'number' } as const] : []),
    { name: 'oldest', title: 'oldest arrival', kind: 'time' },
  )
}

export async function groupPage(
  session: Session,
  files: PageFiles,
  { kind, title, at }: { kind: string; title: string; at: string },
  groups: readonly Group[],
): Promise<void> {
  const { chartPage } = await import('./chart-page.ts')
  const { countText, numberColumn, textColumn, utcText } = await import('../report-tables.ts')
  const { pageOptions } = await import('../page.ts')
  const total = groups.at(-1)
  const hasValues = total?.value != null
  const report = {
    kind,
    heading: `${kind} by ${title}`,
    at,
    tiles: [
      { label: 'Items', text: countText(total?.items ?? 0) },
      ...(hasValues ? [{ label: 'Value', text: countText(total?.value ?? 0) }] : []),
    ],
    bars: groups.slice(0, -1).map(({ group, items }) => ({ label: group, units: items })),
    columns: [
      textColumn<Group>(title, 40, ({ group }) => group),
      numberColumn<Group>('Items', 20, ({ items }) => items),
      ...(hasValues ? [numberColumn<Group>('Value', 20, ({ value }) => value)] : []),
      textColumn<Group>('Oldest arrival (UTC)', 20, ({ oldest }) => (oldest === null ? '' : utcText(oldest))),
    ],
    rows: groups,
    foot: 'Items on their way to a customer are in custody until they are delivered.',
  }
  await writePages(session, files, 'the report', chartPage(report, await pageOptions(session)))
}
