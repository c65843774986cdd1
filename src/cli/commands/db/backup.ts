import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isDatabaseAddress } from '../../../domain/database-address.ts'
import { type Backup, backUp } from '../../../store/maintenance/backup.ts'
import { usage } from '../../base/cli-error.ts'
import { withDraft } from '../../base/drafts.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type DatabaseOptions, databaseOption, databasePlace, inWords } from '../../database/database.ts'
import { longWork } from '../../database/long-work.ts'
import { createProgress } from '../../output/progress.ts'

export const command: CommandFile<[string, DatabaseOptions]> = {
  summary: 'Back up a SQLite database while it is in use',
  details:
    'Copies the database as it is now and checks the copy before giving it its name. Never overwrites a file. To restore: stop the service, move the database with its -wal and -shm to another folder, and put the copy in its place.',
  examples: ['db backup /backup/custody-2026-05-01.db --database /var/lib/custody/custody.db'],
  define: (backup) => databaseOption(backup.argument('<file>', 'New file for the copy')),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, file: string, options: DatabaseOptions): Promise<void> {
  const place = databasePlace(session, options)
  if (isDatabaseAddress(place)) {
    throw usage('db backup copies SQLite files.', 'For PostgreSQL, use: pg_dump --format=custom')
  }
  const target = resolve(session.io.cwd, file)
  if (existsSync(target)) {
    throw usage(`${file} already exists; it is not overwritten.`, 'Name a file that does not exist yet.')
  }
  if (!statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory()) {
    throw usage(`The folder of ${file} does not exist.`, 'Create it first, or name another.')
  }
  const copying = createProgress(session.io, 'copying')
  const copy = (draft: string): Promise<Backup> =>
    longWork(session.io, undefined, ({ begin }) =>
      backUp(place, target, {
        draft,
        onBytes: (done, total) => void copying.update(done, total, 'bytes'),
        onCheck() {
          copying.end()
          begin('checking the copy')
        },
      }),
    ).finally(copying.end)
  const { bytes } = await inWords(() => withDraft(target, copy))
  session.io.out.write(`${file}: ${(bytes / 1_000_000).toFixed(1)} MB of ${place}, checked\n`)
}
