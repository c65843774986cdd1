import type { CommandFile } from '../../command.ts'
import { findManifestId } from '../../find-manifest.ts'
import type { Session } from '../../session.ts'
import { manifestRecord } from '../../views/manifests.ts'

export const command: CommandFile<[string]> = {
  summary: 'show a manifest with its lines',
  details: 'As CSV, it prints the lines.',
  examples: ['manifests show PO-1041', 'manifests show PO-1041 --output csv > lines.csv'],
  define: (show) => show.argument('<manifest>', 'its id or reference'),
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const manifest_id = await findManifestId(client, given)
  const { data } = await client.getManifest({ params: { manifest_id } })
  await (await session.printer()).one(data, manifestRecord)
}
