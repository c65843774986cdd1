import type { Manifest } from '../../../contract/resources/manifest.ts'
import type { CommandFile } from '../../command.ts'
import { closingDays } from '../../connection/partner-terms.ts'
import { findManifest } from '../../find/find-by-reference.ts'
import { forEachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import { summarised, withFlaggedUnits } from '../../report/print-report.ts'
import { manifestHead, manifestList, manifestRecord } from '../../views/manifests.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Show manifests and their lines',
  details:
    'CSV has the lines of one manifest; several are shown as a list. --columns prints only the lines, --summary-columns only the fields above them.',
  examples: ['manifests show PO-1041', 'manifests show PO-1041 --output csv > lines.csv'],
  define: (show) => summarised(show).argument('<manifest...>', idsOrReferences),
  view: (_format, given) => oneOrMany(given, manifestRecord, manifestList),
  async run(session, given) {
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    const isWhole = (await session.printer()).isWhole
    const closing = closingDays(client)
    const withDay = async <M extends Manifest>(manifest: M) =>
      isWhole ? manifest : { ...manifest, ...(await closing([manifest]))(manifest) }
    if (named.isMany)
      return forEachNamed(session, named, async (name) => withDay(await findManifest(client, name)))
    const manifest = await findManifest(client, named.names[0] ?? '')
    const hasLines = 'lines' in manifest
    if (!hasLines)
      session.notice('Without its lines: this service does not offer GET /manifests/{manifest_id}.')
    const printer = await session.printer(hasLines ? undefined : manifestHead)
    if (!hasLines || printer.isJson) return printer.one(await withDay(manifest))
    await printer.one(await withDay(await withFlaggedUnits(client, manifest)))
  },
}
