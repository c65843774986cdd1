import { shownPlace } from '../../../domain/database-address.ts'
import type { Database } from '../../../store/database.ts'
import { checkDatabase, type ScopeFinding } from '../../../store/maintenance/check.ts'
import { checkStatement } from '../../../store/maintenance/check-statement.ts'
import { logAdvice } from '../../../store/sqlite/sqlite-fault.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type DatabaseOptions, databaseOption, withDatabase } from '../../database/database.ts'
import { longWork } from '../../database/long-work.ts'
import { readStatement } from '../../database/statement.ts'
import { columnsOf, type View } from '../../output/columns.ts'

const view: View = {
  columns: columnsOf<ScopeFinding>(
    'partner',
    'environment',
    'table',
    { name: 'key', kind: 'id' },
    { name: 'problem', kind: 'long' },
  ),
}

type Options = DatabaseOptions & { statement?: string }

export const command: CommandFile<[Options]> = {
  summary: 'Check a database for values that disagree',
  details:
    'Recounts counters, stock, and the numbers of events and intakes, compares documents with their columns, and checks the integrity of a SQLite file. Changes neither the database nor its log. Exits 0 if everything agrees, and 9 with a list of what does not.',
  examples: [
    'db check --database /var/lib/custody/custody.db',
    'db check --json',
    'db check --statement october.json',
  ],
  define: (check) =>
    databaseOption(check).option('--statement <file>', 'Also compare this statement of custody with its log'),
  isOffline: true,
  view: () => view,
  run,
}

async function run(session: Session, options: Options): Promise<Outcome> {
  const statement =
    options.statement === undefined ? undefined : await readStatement(session.io, options.statement)
  // Checks the file in another thread, so that this one can serve the terminal.
  const opening = { serving: session.io.err.isTerminal, readOnly: true }
  const check = (db: Database, place: string) =>
    longWork(session.io, 'checking the database', async ({ begin, onRows }) => {
      let scopes = 0
      const findings = await checkDatabase(db, {
        onScope({ partner_name, environment }) {
          scopes += 1
          begin(`checking ${partner_name}, ${environment}`)
        },
        onRows,
      })
      if (statement !== undefined) {
        begin('reading the event log')
        findings.push(...(await checkStatement(db, statement, session.io.now(), onRows)))
      }
      return { findings, scopes, place: shownPlace(place) }
    })
  const { findings, scopes, place } = await withDatabase(session, options, check, opening)
  const printer = await session.printer()
  if (findings.length > 0 || printer.isJson) {
    await printer.all(findings)
  }
  if (findings.length === 0) {
    session.notice(`${place}: all is well in ${counted(scopes, 'scope')}`)
    if (statement !== undefined)
      session.notice(
        `${options.statement}: all ${counted(statement.events.count, 'event')} agree with the log`,
      )
    return 'ok'
  }
  session.notice(`${place}: ${counted(findings.length, 'value does', 'values do')} not agree`)
  if (findings.some(({ table }) => table === 'file')) {
    session.notice(
      logAdvice(place) ??
        `Restore it from a backup. Remove ${place}-wal and ${place}-shm before you put the copy in its place: an old log would damage it again.`,
    )
  }
  return 'some_failed'
}
