import { shownPlace } from '../../../domain/database-address.ts'
import { adviceOn } from '../../../store/maintenance/advice.ts'
import { migrate } from '../../../store/migrate.ts'
import { usingDatabase } from '../../../store/open.ts'
import { validateRules } from '../../../store/postgres/pg-rules.ts'
import { widenSearchIndex } from '../../../store/postgres/pg-search.ts'
import { schemaVersion } from '../../../store/schema-version.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type DatabaseOptions, databaseOption, databasePlace, inWords } from '../../database/database.ts'

export const command: CommandFile<[DatabaseOptions]> = {
  summary: 'Create a database, or migrate its schema to this version',
  details: 'Each step is one transaction. serve migrates too when it starts.',
  examples: ['db migrate --database /var/lib/custody/custody.db'],
  define: databaseOption,
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, options: DatabaseOptions): Promise<void> {
  const place = databasePlace(session, options)
  const applied = await inWords(() =>
    usingDatabase(place, {}, async (db) => {
      const versions = await migrate(db)
      const advice = db.dialect === 'postgres' ? await widenSearchIndex(db) : undefined
      for (const word of [advice, ...(await validateRules(db)), ...(await adviceOn(db))])
        if (word !== undefined) session.notice(word)
      return versions
    }),
  )
  const what = applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to do'
  session.io.out.write(`${shownPlace(place)}: schema version ${schemaVersion}, ${what}\n`)
}
