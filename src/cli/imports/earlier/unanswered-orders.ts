import type { Client } from '../../../client/client.ts'
import { readCsv } from '../../../domain/csv/csv-file.ts'
import type { CsvRow } from '../../../domain/csv/csv-reading.ts'
import type { AcceptedRow } from '../../../domain/csv/csv-row.ts'
import type { FulfillmentRow } from '../../../domain/fulfillments/fulfillment-csv.ts'
import { localTime } from '../../base/times.ts'
import type { Session } from '../../command.ts'
import {
  type JournalChunk,
  type JournalOwner,
  noteInJournal,
  readJournal,
  startJournal,
} from '../journal/journal.ts'
import { isAhead, isReplayedStill } from '../journal/still-there.ts'
import {
  forgetUnanswered,
  journalsWithUnanswered,
  readUnanswered,
  type Unanswered,
  undate,
} from '../journal/unanswered.ts'
import { contentMark } from './order-content.ts'
import { orderNote } from './order-note.ts'
import { listsOrders } from './orders-by-reference.ts'
import { isNewAndSpent, type OrderKind, type SentOrders } from './spent-key.ts'

/** Why nobody can tell whether a row was ordered; undefined where that can be told. */
export type InDoubt = (mark: string, ref: string | null) => string | undefined

/** What an import of orders needs to be sent. */
type Orders = {
  client: Client
  kind: OrderKind & { ordersIn?: (header: readonly string[], rows: readonly CsvRow[]) => Row[] }
}
type Row = AcceptedRow<FulfillmentRow>
type Pending = Unanswered & { path: string }

/**
 * Finds out what became of orders that were sent and never answered, before a changed file is compared with what was ordered: what
 * was not carried out by now never will be. Answers the rows for which that cannot be told any more.
 */
export async function settleUnanswered(
  session: Session,
  orders: Orders,
  { folder, owner }: { folder: string; owner: JournalOwner },
): Promise<InDoubt> {
  const now = session.io.now()
  const doubts: Doubt[] = []
  for (const pending of keptIn(folder, owner)) {
    const { path, at } = pending
    if (isNoted(pending)) forgetUnanswered(path)
    else if (isReplayedStill(at, now)) await settle(session, orders, pending, owner)
    else {
      if (isAhead(at, now)) undate(path, pending)
      const marks = new Set(rowsOf(orders, pending.upload).map(({ value }) => contentMark(value)))
      doubts.push({ marks, why: lostWords(session, pending) })
    }
  }
  const isAsked = doubts.length > 0 && (await listsOrders(orders.client))
  return (mark, ref) =>
    isAsked && ref !== null ? undefined : doubts.find(({ marks }) => marks.has(mark))?.why
}

/** The rows of one chunk, whose answer is lost for good, by the marks of their content. */
type Doubt = { marks: Set<string>; why: string }

/** What was sent and not answered, as the journals tell. */
export function unansweredIn(folder: string, whose: Pick<JournalOwner, 'target' | 'kind'>): Pending[] {
  return keptIn(folder, whose).filter((pending) => !isNoted(pending))
}

function keptIn(folder: string, { target, kind }: Pick<JournalOwner, 'target' | 'kind'>): Pending[] {
  return journalsWithUnanswered(folder).flatMap((path) => {
    const unanswered = readUnanswered(path)
    const isOurs = unanswered?.head.target === target && unanswered.head.kind === kind
    return isOurs ? [{ ...unanswered, path }] : []
  })
}

/** Noted after it was sent: an import that is repeated sends what its journal tells of already. */
function isNoted(pending: Pending): boolean {
  const noted = notedChunk(pending)
  if (noted === undefined || noted.at === undefined) return noted !== undefined
  return pending.at !== undefined && noted.at >= pending.at
}

function notedChunk({ path, chunk }: Pending): JournalChunk | undefined {
  return readJournal(path)?.chunks[chunk - 1]
}

/** Its import is given up first: the chunk's key may be spent after that. What another key has sent may be another partner's. */
async function settle(
  session: Session,
  orders: Orders,
  pending: Pending,
  { key_mark }: JournalOwner,
): Promise<void> {
  const { path, head, upload } = pending
  if (readJournal(path) === undefined) startJournal(path, head)
  noteInJournal(path, { given_up: true })
  const rows = rowsOf(orders, upload)
  const { created, errors } = await outcomeOf(orders, pending)
  if (created.length === 0 && head.key_mark !== key_mark) return
  const refused = new Set(errors.map(({ row }) => row))
  const carriedOut = created.length === 0 ? [] : rows.filter(({ row }) => !refused.has(row))
  const ids = created.map(({ id = '' }) => id)
  if (created.length > 0 && notedChunk(pending)?.made !== ids[0]) {
    noteInJournal(path, {
      chunk: (readJournal(path)?.chunks.length ?? 0) + 1,
      created: created.length,
      failed: errors.length,
      sent: rows.length,
      errors_bytes: 0,
      ...orderNote(carriedOut, (await listsOrders(orders.client)) ? [] : ids),
      ...(ids[0] && { made: ids[0] }),
    })
  }
  forgetUnanswered(path)
  session.notice(outcomeWords(session, pending, rows.length, created.length))
}

/** Where the key is new, nothing was ordered. Else the chunk itself is sent, for its stored result, or for the rest of what was begun. */
async function outcomeOf({ client, kind }: Orders, { key, upload }: Pending): Promise<SentOrders> {
  if (await isNewAndSpent(kind, client, key)) return { created: [], errors: [] }
  return (await kind.send(client, { file: upload, idempotencyKey: key })).data
}

/** Just as they were sent: with the numbers that the service gives them. */
function rowsOf({ kind }: Orders, upload: Buffer): Row[] {
  const { header, rows } = readCsv(upload, { ...kind.columns, required: [] })
  return kind.ordersIn?.(header, [...rows].flat()) ?? []
}

function outcomeWords(session: Session, pending: Pending, rows: number, ordered: number): string {
  const were =
    ordered === 0
      ? 'none was ordered, and none will be'
      : ordered === 1
        ? '1 was ordered'
        : `${ordered.toLocaleString('en')} were ordered`
  return `Of ${rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`} of ${pending.head.file} that were sent ${timeOf(session, pending)} and not answered, ${were}.`
}

function lostWords(session: Session, pending: Pending): string {
  return `may have been ordered ${timeOf(session, pending)} by an import of ${pending.head.file} of which no answer came: look for it with custody fulfillments ls, and order it with --again if it is not there`
}

function timeOf({ io }: Session, { at }: Pending): string {
  if (at === undefined) return 'at a time that is not known'
  return `on ${io.err.isTerminal ? localTime(at) : at}`
}
