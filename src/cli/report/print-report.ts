import type { ManifestReport } from '../../contract/resources/manifest.ts'
import type { Session } from '../command.ts'
import { manifestReport } from '../views/manifests.ts'

/** Prints a reconciliation report; where it is nothing but rows, stderr says which of them are unexpected items. */
export async function printReport(session: Session, report: ManifestReport): Promise<void> {
  const printer = await session.printer()
  await printer.one(report, manifestReport)
  const isRows = printer.format === 'csv' && session.options.columns === undefined
  if (isRows && report.unexpected.length > 0) session.notice(`${reportRowsText(report)}, in this order`)
}

/** `12 lines and 2 unexpected items` */
export function reportRowsText({ lines, unexpected }: ManifestReport): string {
  const rows = lines.length === 1 ? '1 line' : `${lines.length} lines`
  if (unexpected.length === 0) return rows
  return `${rows} and ${unexpected.length === 1 ? '1 unexpected item' : `${unexpected.length} unexpected items`}`
}
