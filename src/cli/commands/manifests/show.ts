import type { Client } from '../../../client/client.ts'
import { closeGraceDaysDefault } from '../../../contract/limits.ts'
import type { Manifest } from '../../../contract/resources/manifest.ts'
import type { CommandFile } from '../../command.ts'
import { closingDays } from '../../connection/partner-terms.ts'
import { findManifest, manifestTotals, receivedUnits } from '../../find/find-by-reference.ts'
import { listCommand } from '../../list/list-command.ts'
import { forEachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import { summarised, withFlaggedUnits } from '../../report/print-report.ts'
import { type ManifestUnits, manifestHead, manifestList, manifestRecord } from '../../views/manifests.ts'

/** The totals of each manifest cost a request. */
const requestsAtOnce = 5

export const ls = listCommand(
  {
    id: 'listManifests',
    view: manifestList,
    keys: ['id'],
    added: [
      { columns: ['closes_on'], read: closingDays },
      { columns: ['received', 'expected', 'percent'], read: (client) => (rows) => unitsOf(client, rows) },
    ],
  },
  {
    summary: 'List manifests, newest first',
    details: `Shows how many of the expected units have arrived, and the day on which an open manifest closes by itself: ${closeGraceDaysDefault} days after its arrival window ends. The units cost a request for each manifest; choose other columns, or --json, to leave them out.`,
    examples: ['manifests ls', 'manifests ls --status receiving', 'manifests ls --all --json'],
  },
)

async function unitsOf(client: Client, manifests: readonly Manifest[]) {
  const units = new Map<string, ManifestUnits>()
  for (let start = 0; start < manifests.length; start += requestsAtOnce) {
    const some = manifests.slice(start, start + requestsAtOnce)
    const totals = await Promise.all(some.map(({ id }) => manifestTotals(client, id)))
    for (const [index, { id }] of some.entries()) {
      const own = totals[index]
      if (own) units.set(id, { received: receivedUnits(own), expected: own.expected })
    }
  }
  return ({ id }: Manifest) => units.get(id) ?? { received: null, expected: null }
}

export const show: CommandFile<[string[]]> = {
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
