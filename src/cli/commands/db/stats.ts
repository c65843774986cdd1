import { statSync } from 'node:fs'
import { isDatabaseAddress, shownPlace } from '../../../domain/database-address.ts'
import { readStats, type ScopeStats } from '../../../store/maintenance/stats.ts'
import { schemaVersion } from '../../../store/schema-version.ts'
import { listScopes } from '../../../store/tables/scopes.ts'
import type { CommandFile } from '../../command.ts'
import { type DatabaseOptions, databaseOption, withDatabase } from '../../database/database.ts'
import { columnsOf, type View } from '../../output/columns.ts'

const numbers = [
  'items',
  'products',
  'manifests',
  'fulfillments',
  'transfers',
  'events',
  'subscriptions',
  'deliveries_pending',
] as const

const view: View = {
  columns: columnsOf<ScopeStats>(
    'partner',
    'environment',
    ...numbers.map((name) => ({ name, kind: 'number' as const })),
    'last_write_at',
  ),
}

export const command: CommandFile<[DatabaseOptions]> = {
  summary: 'Show what a database contains, by partner',
  examples: ['db stats', 'db stats --database /var/lib/custody/custody.db --json'],
  define: databaseOption,
  isOffline: true,
  view: () => view,
  async run(session, options) {
    await withDatabase(session, options, async (db, place) => {
      const rows = await db.read(async (tx) => {
        const stats = []
        for (const scope of await listScopes(tx)) stats.push(await readStats(tx, scope))
        return stats
      })
      await (await session.printer()).all(rows)
      session.notice(`${shownPlace(place)}: schema version ${schemaVersion}${sizeOf(place)}`)
    })
  },
}

function sizeOf(place: string): string {
  if (isDatabaseAddress(place)) return ''
  const bytes = ['', '-wal'].map((end) => statSync(`${place}${end}`, { throwIfNoEntry: false })?.size ?? 0)
  return `, ${(bytes.reduce((sum, size) => sum + size, 0) / 1_000_000).toFixed(1)} MB`
}
