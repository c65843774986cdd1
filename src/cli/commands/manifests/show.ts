import type { CommandFile, Session } from '../../command.ts'
import { findManifest } from '../../find/find-manifest.ts'
import { summarised } from '../../report/print-report.ts'
import { manifestHead, manifestRecord } from '../../views/manifests.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show a manifest and its lines',
  details:
    'CSV has the lines. --columns prints only the lines, --summary-columns only the fields above them.',
  examples: ['manifests show PO-1041', 'manifests show PO-1041 --output csv > lines.csv'],
  define: (show) => summarised(show).argument('<manifest>', 'Its id or reference'),
  view: () => manifestRecord,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const manifest = await findManifest(client, given)
  const hasLines = 'lines' in manifest
  if (!hasLines)
    session.notice('Without its lines: this service does not offer GET /manifests/{manifest_id}.')
  await (await session.printer(hasLines ? undefined : manifestHead)).one(manifest)
}
