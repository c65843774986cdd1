import type { CommandFile, Session } from '../../command.ts'
import { findManifest } from '../../find/find-manifest.ts'
import { manifestHead, manifestRecord } from '../../views/manifests.ts'

export const command: CommandFile<[string]> = {
  summary: 'show a manifest with its lines',
  details: 'As CSV, it prints the lines.',
  examples: ['manifests show PO-1041', 'manifests show PO-1041 --output csv > lines.csv'],
  define: (show) => show.argument('<manifest>', 'its id or reference'),
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const manifest = await findManifest(client, given)
  const hasLines = 'lines' in manifest
  if (!hasLines)
    session.notice('Without its lines: this service does not offer GET /manifests/{manifest_id}.')
  await (await session.printer()).one(manifest, hasLines ? manifestRecord : manifestHead)
}
