import { checkDatabase } from '../../../store/check.ts'
import { placeShown } from '../../../store/open.ts'
import type { CommandFile, Outcome } from '../../command.ts'
import type { View } from '../../output/columns.ts'
import type { Session } from '../../session.ts'
import { type DatabaseOptions, databaseOption, withDatabase } from './database.ts'

const view: View = {
  columns: [
    { name: 'partner' },
    { name: 'environment' },
    { name: 'table' },
    { name: 'key', kind: 'id' },
    { name: 'problem', kind: 'long' },
  ],
}

export const command: CommandFile<[DatabaseOptions]> = {
  summary: 'recount and compare everything that a database keeps twice',
  details:
    'Kept counts, stock, the numbers of events and intakes, documents against their columns; of a SQLite file also its ' +
    'integrity. Changes nothing. Exit 0: all is well; exit 9: what is listed does not agree.',
  examples: ['db check --database /var/lib/custody/custody.db', 'db check --json'],
  define: databaseOption,
  isOffline: true,
  run,
}

async function run(session: Session, options: DatabaseOptions): Promise<Outcome> {
  const { findings, scopes, place } = await withDatabase(session, options, async (db, place) => {
    let scopes = 0
    const findings = await checkDatabase(db, () => {
      scopes += 1
    })
    return { findings, scopes, place: placeShown(place) }
  })
  const printer = await session.printer()
  if (findings.length > 0 || printer.isJson) {
    const writer = printer.list(view)
    await writer.push(findings)
    await writer.end()
  }
  if (findings.length === 0) {
    session.notice(`${place}: all is well in ${scopes} ${scopes === 1 ? 'scope' : 'scopes'}`)
    return 'ok'
  }
  session.notice(
    `${place}: ${findings.length} ${findings.length === 1 ? 'thing does' : 'things do'} not agree`,
  )
  return 'some_failed'
}
