import { listPartners, type PartnerRow } from '../../../../store/tables/scopes.ts'
import type { CommandFile, Session } from '../../../command.ts'
import { type DatabaseOptions, databaseOption, withDatabase } from '../../../database/database.ts'
import { columnsOf, type View } from '../../../output/columns.ts'

export const command: CommandFile<[DatabaseOptions]> = {
  summary: 'List partners with their environments and valid keys',
  examples: ['admin partners ls'],
  define: databaseOption,
  isOffline: true,
  view: () => view,
  run,
}

const view: View = {
  columns: columnsOf<PartnerRow>(
    { name: 'name' },
    { name: 'environment' },
    { name: 'live_keys', kind: 'number' },
    { name: 'id', kind: 'id' },
    { name: 'created_at', kind: 'time' },
  ),
}

async function run(session: Session, options: DatabaseOptions): Promise<void> {
  const now = new Date(session.io.now()).toISOString()
  const rows = await withDatabase(session, options, (db) => db.read((tx) => listPartners(tx, now)))
  await (await session.printer()).all(rows)
  if (rows.length === 0) session.notice('none found')
}
