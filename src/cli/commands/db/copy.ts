import { shownPlace } from '../../../domain/database-address.ts'
import type { Database } from '../../../store/database.ts'
import { type Copied, copyPartner } from '../../../store/maintenance/copy.ts'
import { migrate } from '../../../store/migrate.ts'
import { usingDatabase } from '../../../store/open.ts'
import { listScopes } from '../../../store/tables/scopes.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { removeDraft } from '../../base/drafts.ts'
import type { CommandFile } from '../../command.ts'
import { isMissingFile, placeNamed } from '../../connection/database-place.ts'
import { inWords, noticeWriting, withDatabase } from '../../database/database.ts'
import { longWork } from '../../database/long-work.ts'
import { columnsOf, type View } from '../../output/columns.ts'

type Options = { from: string; to: string; partner?: string; as?: string }

const view: View = {
  columns: columnsOf<Copied['tables'][number]>(
    'environment',
    'table',
    { name: 'rows', kind: 'number' },
    { name: 'sha256', kind: 'long' },
  ),
}

export const command: CommandFile<[Options]> = {
  summary: 'Copy a partner to another database and verify it',
  details:
    'Copies one snapshot of the source in one transaction, then reads every table back and compares counts, SHA-256, and the sequences of events, items, and intakes. Copies everything or nothing; exits 5 if the target already has data of the partner. The source is not changed: stop writing to it first, and use the target afterwards. If the source changed meanwhile, the copy lacks those changes and the command exits 9.',
  examples: [
    'db copy --from sqlite:custody.db --to postgres://custody@db.internal/custody',
    'db copy --from custody.db --to postgres://custody@db.internal/custody --partner Sandbox --as "Northgate Cards"',
  ],
  define: (copy) =>
    copy
      .requiredOption('--from <database>', 'Database to copy: sqlite:FILE, or a postgres:// address')
      .requiredOption('--to <database>', 'Database to copy to, in the same form; a missing schema is created')
      .option('--partner <name>', 'Partner to copy (default: the only one in the source)')
      .option('--as <name>', 'Partner name in the target (default: the same)'),
  isOffline: true,
  view: () => view,
  async run(session, options) {
    const { cwd } = session.io
    const [source, target] = [placeNamed(options.from, '--from', cwd), placeNamed(options.to, '--to', cwd)]
    if (source === target) throw usage('--from and --to are the same database.')
    await withDatabase(session, { database: source }, async (from) => {
      const partner = options.partner ?? (await onlyPartner(from, source))
      noticeWriting(session, target)
      const isNew = isMissingFile(target)
      const { tables, outdated } = await inWords(() =>
        usingDatabase(target, {}, async (to) => {
          await migrate(to)
          return longWork(session.io, doing, ({ begin, onRows, clear }) =>
            copyPartner(from, to, {
              partner,
              as: options.as,
              onTable({ table, rows }) {
                clear()
                session.notice(`${table}: ${counted(rows, 'row')} copied and compared`)
                begin(doing)
              },
              onRows,
            }),
          )
        }),
      ).catch((error: unknown) => {
        if (isNew) removeDraft(target)
        throw error
      })
      await (await session.printer()).all(tables)
      const total = tables.reduce((sum, { rows }) => sum + rows, 0)
      session.notice(`${options.as ?? partner}: copied and verified ${total} rows in ${shownPlace(target)}`)
      if (outdated.length > 0) throw leftBehind(partner, outdated)
    })
  },
}

const doing = 'copying and comparing'

/** The copy is complete and may be all that was wanted, but a script that moves a partner must not continue. */
function leftBehind(partner: string, environments: readonly string[]): CliError {
  const where = environments.join(', ')
  const message = `The source of ${partner} changed during the copy (${where}). The copy is complete but lacks these changes.`
  return new CliError('some_failed', message, {
    hint: 'To move the partner, stop writing to the source and copy it again, into a database that does not have it yet.',
  })
}

async function onlyPartner(from: Database, place: string): Promise<string> {
  const names = [...new Set((await from.read(listScopes)).map((scope) => scope.partner_name))]
  const [only] = names
  if (names.length === 1 && only !== undefined) return only
  if (only === undefined) throw new CliError('not_found', `${shownPlace(place)} has no partners.`)
  throw usage(`${shownPlace(place)} has several partners.`, `Name one with --partner: ${names.join(', ')}`)
}
