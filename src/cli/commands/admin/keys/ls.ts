import { notFound } from '../../../../domain/rejection.ts'
import { type KeyHolder, listKeyHolders } from '../../../../store/tables/keys.ts'
import { findPartner } from '../../../../store/tables/scopes.ts'
import type { CommandFile, Session } from '../../../command.ts'
import { type DatabaseOptions, databaseOption, withDatabase } from '../../../database/database.ts'
import { columnsOf, type View } from '../../../output/columns.ts'
import { sayNoPartner } from './issued.ts'

type Options = DatabaseOptions & { all?: boolean }

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'List API keys with their partner and last use',
  details: '--all includes revoked and expired keys. Last use is updated about once a minute.',
  examples: ['admin keys ls', 'admin keys ls "Northgate Cards" --all'],
  define: (ls) =>
    databaseOption(ls.argument('[partner]', 'Only keys of this partner')).option(
      '--all',
      'Include revoked and expired keys',
    ),
  isOffline: true,
  view: () => view,
  run,
}

type KeyRow = KeyHolder & { partner: string; status: string }

const view: View = {
  columns: columnsOf<KeyRow>(
    { name: 'prefix', kind: 'id' },
    { name: 'partner' },
    { name: 'environment' },
    { name: 'status', kind: 'status' },
    { name: 'created_at', kind: 'time' },
    { name: 'expires_at', kind: 'time' },
    { name: 'last_used_at', kind: 'time' },
    { name: 'id', kind: 'id' },
  ),
}

async function run(session: Session, partner: string | undefined, options: Options): Promise<void> {
  const now = new Date(session.io.now()).toISOString()
  const keys = await withDatabase(session, options, (db) =>
    db
      .read(async (tx) => {
        if (partner !== undefined && !(await findPartner(tx, partner))) throw notFound()
        return listKeyHolders(tx)
      })
      .catch(sayNoPartner(partner)),
  )
  const rows = keys
    .filter((key) => partner === undefined || key.partner_name === partner)
    .map((key): KeyRow => ({ ...key, partner: key.partner_name, status: statusOf(key, now) }))
    .filter(({ status }) => options.all || status === 'live')
  await (await session.printer()).all(rows)
  if (rows.length === 0) session.notice('none found')
}

function statusOf({ revoked_at, expires_at }: KeyHolder, now: string): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'live'
}
