import { CliError } from '../../base/cli-error.ts'
import { counted, digits } from '../../base/counted.ts'
import type { LoneCommand, Session } from '../../command.ts'
import { readingLog } from '../../database/long-work.ts'
import { inMirrorWords, mirrorDefault, mirrorOf } from '../../database/mirror.ts'
import { eventPages, isUnknownCursor } from '../../events/event-pages.ts'

export const command: LoneCommand<[string]> = {
  details:
    'Reads the events that the file does not have yet and writes each page in one transaction, with the position in the log. ' +
    'Run it as often as you like: an interrupted run resumes, and a run without news makes one request. Read the file with ' +
    'custody sql, sqlite3, or Datasette; docs/mirror.md lists the tables.\n\n' +
    'A fulfillment is copied as of its last event; a new processing stage alone emits none. Manifests and products have no events of ' +
    'their own, so the copy has only their ids and reconciliations.',
  examples: [
    'sync',
    'sync /srv/custody.db',
    "sync && custody sql 'select status, count(*) from items group by status'",
  ],
  define: (sync) => sync.argument('[file]', 'SQLite file; created if missing', mirrorDefault),
  isPlain: true,
  run,
}

async function run(session: Session, file: string): Promise<void> {
  const { client, identity } = await session.target()
  const mirror = mirrorOf(session.io, file, identity)
  const before = mirror.state()
  try {
    await readingLog(session.io, async (onRows) => {
      for await (const { events } of eventPages(client, { after: before.after ?? undefined })) {
        if (events.length === 0) continue
        const rows = events.map(({ event, text }) => ({ ...event, text: text() }))
        inMirrorWords(file, () => mirror.add(rows), true)
        await onRows(events.length)
      }
    })
  } catch (error) {
    throw isUnknownCursor(error) ? otherLog(file) : error
  } finally {
    mirror.close()
  }
  const { events } = mirror.state()
  const fresh = events - before.events
  session.io.out.write(
    `${file}: ${counted(events, 'event')}, ${fresh === 0 ? 'no new ones' : `${digits(fresh)} of them new`}\n`,
  )
}

function otherLog(file: string): CliError {
  return new CliError('conflict', `${file} ends with an event that is not in this log.`, {
    hint: `If the key belongs to another partner, name another file. Otherwise the data were reset, or restored from a backup: delete ${file} and run custody sync again.`,
  })
}
