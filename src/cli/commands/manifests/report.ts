import type { ManifestReport } from '../../../contract/resources/manifest.ts'
import type { CommandFile } from '../../command.ts'
import { findManifestId } from '../../find-manifest.ts'
import { writeCsvFile } from '../../output/csv-file.ts'
import { writeOutputFile } from '../../output/output-file.ts'
import type { Session } from '../../session.ts'
import { manifestReport, reportLineColumns } from '../../views/manifests.ts'

type Options = { csv?: string; html?: string; raw?: boolean }

export const command: CommandFile<[string, Options]> = {
  summary: 'the reconciliation report: per line what came, and what came unexpected',
  details: 'Until the manifest is closed, the report is provisional. As CSV, it prints the lines.',
  examples: [
    'manifests report PO-1041',
    'manifests report PO-1041 --json',
    'manifests report PO-1041 --html po-1041.html',
    'manifests report PO-1041 --csv po-1041.csv',
  ],
  define: (report) =>
    report
      .argument('<manifest>', 'its id or reference')
      .option('--html <file>', 'write it as one page, to open, mail and print')
      .option('--csv <file>', 'write the lines to this CSV file'),
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const { client } = await session.target()
  const manifest_id = await findManifestId(client, given)
  const { data } = await client.getManifestReport({ params: { manifest_id } })
  if (options.html !== undefined) await writePage(session, options.html, data)
  if (options.csv !== undefined) await writeLines(session, options.csv, data, options.raw === true)
  if (options.html !== undefined || options.csv !== undefined) return
  if (data.generated_at === null) session.notice('Provisional: the manifest is not closed yet.')
  await (await session.printer()).one(data, manifestReport)
}

async function writePage(session: Session, file: string, report: ManifestReport): Promise<void> {
  const { reportPage } = await import('../../report/report-page.ts')
  const { environment } = await session.target()
  writeOutputFile(
    session.io,
    file,
    reportPage(report, { madeAt: session.io.now(), environment, version: CUSTODY_VERSION }),
  )
  session.notice(`Wrote the report of ${report.reference} to ${file}`)
}

async function writeLines(
  session: Session,
  file: string,
  { lines }: ManifestReport,
  isRaw: boolean,
): Promise<void> {
  await writeCsvFile(session.io, file, reportLineColumns, lines, isRaw)
  session.notice(`Wrote ${lines.length} lines to ${file}`)
}
