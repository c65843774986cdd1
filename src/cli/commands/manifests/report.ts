import { getWholeReport } from '../../../client/whole-manifest.ts'
import type { ManifestReport } from '../../../contract/resources/manifest.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { writeCsvFile } from '../../connection/csv-form.ts'
import { findManifestId } from '../../find/find-by-reference.ts'
import { forEachNamed, idsOrReferences, isMany, namesFrom, oneOrMany } from '../../list/several.ts'
import { chooseColumns } from '../../output/choose-columns.ts'
import { stdoutName } from '../../output/output-file.ts'
import { isPageWanted, type PageFiles, pageFlags, writePages } from '../../report/page-files.ts'
import {
  printReport,
  type ReportOptions,
  reportable,
  reportRowsText,
  withFlaggedUnits,
  withStatus,
} from '../../report/print-report.ts'
import { reportLines, reportList, reportRows, reportView } from '../../views/manifests.ts'

type Options = ReportOptions & PageFiles & { csv?: string; columns?: string }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Show what arrived for each line, and what is unexpected',
  details:
    'Until the manifest is closed, the report is provisional. A terminal shows the differences; --lines and other output formats show every line, then one row with the status unexpected for each item that is on no line. --columns prints only the lines, --summary-columns only the totals. Of several manifests, it shows the totals of each.',
  examples: [
    'manifests report PO-1041',
    'manifests report PO-1041 --json',
    'manifests report PO-1041 PO-1042',
    'manifests report PO-1041 --html po-1041.html',
    'manifests report PO-1041 --csv po-1041.csv',
    'manifests report PO-1041 --status missing --columns external_ref,sku',
  ],
  define: (report) =>
    pageFlags(
      reportable(report).argument('<manifest...>', idsOrReferences),
      'one page to mail or print',
    ).option('--csv <file>', 'Write lines and unexpected items as CSV; - for stdout'),
  view: (_format, given) => oneOrMany(given, reportView(reportLines), reportList),
  writesCsv: true,
  async run(session, given, options) {
    if (!isMany(given)) return reportOne(session, given[0] ?? '', options)
    const { html, pdf, open, csv, lines, status, summaryColumns } = options
    if ([html, pdf, open, csv, lines, status, summaryColumns].some((option) => option !== undefined)) {
      throw usage(
        '--html, --pdf, --open, --csv, --lines, --status, and --summary-columns are for one manifest.',
        'Name one, or leave them out.',
      )
    }
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    return forEachNamed(session, named, async (name) =>
      getWholeReport(client, await findManifestId(client, name)),
    )
  },
}

async function reportOne(session: Session, given: string, options: Options): Promise<void> {
  if (options.html === stdoutName && options.csv === stdoutName)
    throw usage('--html - and --csv - cannot both go to stdout.', 'Name a file for one of them.')
  const isPage = isPageWanted(session, options)
  const { client } = await session.target()
  const manifest_id = await findManifestId(client, given)
  const data = await getWholeReport(client, manifest_id)
  const whole = isPage || options.csv !== undefined ? await withFlaggedUnits(client, data) : data
  const marked = withStatus(whole, options.status)
  if (isPage) {
    const { pageOptions } = await import('../../report/page.ts')
    const { reportPage } = await import('../../report/report-page.ts')
    const page = reportPage(marked, await pageOptions(session), options.status)
    await writePages(session, options, `the report of ${data.reference}`, page)
  }
  if (options.csv !== undefined) await writeRows(session, options.csv, marked, options)
  if (isPage || options.csv !== undefined) return
  if (data.generated_at === null) session.notice('Provisional: the manifest is not closed yet.')
  await printReport(session, data, options)
}

async function writeRows(
  session: Session,
  file: string,
  report: ManifestReport,
  { columns }: Options,
): Promise<void> {
  const chosen = chooseColumns(reportLines, columns)
  await writeCsvFile(session, file, chosen, reportRows(report))
  const place = file === stdoutName ? 'stdout' : file
  session.notice(`Wrote ${reportRowsText(report)} to ${place}`)
}
