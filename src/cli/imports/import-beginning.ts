import { resolve } from 'node:path'
import type { Session } from '../session.ts'
import { chunkKey, importKey } from './import-key.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportTotals } from './import-report.ts'
import { type Journal, readJournal, startJournal } from './journal.ts'
import { type Sending, sendChunk } from './send-chunk.ts'

export type ChunkedImportOptions = ImportOptions & { resume?: boolean }

/** Where an import begins: the first chunk to send, counted from 0, and what the ones before it gave. */
export type Beginning = {
  key: string
  from: number
  /** As the operator knows it, and how much of it stays. */
  errorsFile: string
  errorsBytes: number
  totals: ImportTotals
}

/** A new import; with --resume, the one that its journal tells of. */
export async function beginningOf(
  session: Session,
  sending: Sending,
  journal: { path: string; fingerprint: string },
  options: ChunkedImportOptions,
): Promise<Beginning> {
  const earlier = options.resume ? readJournal(journal.path) : undefined
  const goneOn = earlier && (await goOn(session, sending, earlier))
  if (goneOn) return goneOn
  if (options.resume) session.notice('There is nothing to go on with: beginning with the first row.')
  const key = earlier?.head.key ?? importKey(journal.fingerprint, options)
  const errorsFile = options.errors ?? `${sending.source.name}.errors.csv`
  startJournal(journal.path, {
    key,
    file: sending.source.name,
    rows: sending.plan.rows,
    errors_file: resolve(session.io.cwd, errorsFile),
    started_at: new Date(session.io.now()).toISOString(),
  })
  return { key, from: 0, errorsFile, errorsBytes: 0, totals: noTotals() }
}

/** Undefined where the journal has no chunk, or the target does not know the last one: it was set back since. */
async function goOn(
  session: Session,
  sending: Sending,
  { head, chunks }: Journal,
): Promise<Beginning | undefined> {
  const { plan } = sending
  const last = chunks.at(-1)
  const chunk = last && plan.chunks[last.chunk - 1]
  if (last === undefined || chunk === undefined) return undefined
  const { isReplay, sent } = await sendChunk(
    sending,
    chunk,
    chunkKey(head.key, last.chunk, plan.chunks.length),
  )
  if (!isReplay && sent > 0) return undefined
  const totals = noTotals()
  for (const { created, failed, sent } of chunks) {
    totals.created += created
    totals.failed += failed
    totals.sent += sent
  }
  const row = (chunk.firstRow + chunk.rows - 1).toLocaleString('en')
  session.notice(`Going on after row ${row} of ${plan.rows.toLocaleString('en')}.`)
  return {
    key: head.key,
    from: last.chunk,
    errorsFile: head.errors_file,
    errorsBytes: last.errors_bytes,
    totals,
  }
}

function noTotals(): ImportTotals {
  return { created: 0, failed: 0, sent: 0, replayed: 0, errors: [] }
}
