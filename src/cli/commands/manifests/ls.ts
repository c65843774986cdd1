import type { Client } from '../../../client/client.ts'
import { closeGraceDaysDefault } from '../../../contract/limits.ts'
import type { Manifest } from '../../../contract/resources/manifest.ts'
import { closingDays } from '../../connection/partner-terms.ts'
import { manifestTotals, receivedUnits } from '../../find/find-by-reference.ts'
import { listCommand } from '../../list/list-command.ts'
import { type ManifestUnits, manifestList } from '../../views/manifests.ts'

/** The totals of each manifest cost a request. */
const requestsAtOnce = 5

export const command = listCommand(
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
