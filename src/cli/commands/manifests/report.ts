import type { CommandFile } from '../../command.ts'
import { findManifestId } from '../../find-manifest.ts'
import { writeCsvFile } from '../../output/csv-file.ts'
import type { Session } from '../../session.ts'
import { manifestReport, reportLineColumns } from '../../views/manifests.ts'

type Options = { csv?: string; raw?: boolean }

export const command: CommandFile<[string, Options]> = {
  summary: 'the reconciliation report: per line what came, and what came unexpected',
  details: 'Until the manifest is closed, the report is provisional. As CSV, it prints the lines.',
  examples: [
    'manifests report PO-1041',
    'manifests report PO-1041 --json',
    'manifests report PO-1041 --csv po-1041.csv',
  ],
  define: (report) =>
    report
      .argument('<manifest>', 'its id or reference')
      .option('--csv <file>', 'write the lines to this CSV file'),
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const { client } = await session.target()
  const manifest_id = await findManifestId(client, given)
  const { data } = await client.getManifestReport({ params: { manifest_id } })
  if (options.csv !== undefined) {
    await writeCsvFile(session.io, options.csv, reportLineColumns, data.lines, options.raw === true)
    return session.notice(`Wrote ${data.lines.length} lines to ${options.csv}`)
  }
  if (data.generated_at === null) session.notice('Provisional: the manifest is not closed yet.')
  await (await session.printer()).one(data, manifestReport)
}
