import type { Answer, Client } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { isSurelyUndone } from '../connection/unknown-outcome.ts'
import { csvLine } from '../output/csv-text.ts'
import { checkedChunk, encodeRows, rowsOfChunk } from './chunk-rows.ts'
import type { CatalogComparison } from './earlier/catalog-rows.ts'
import { orderNote } from './earlier/order-note.ts'
import type { FailedRow } from './errors-file.ts'
import type { FilePlan, PlannedChunk } from './file-plan.ts'
import { type Located, located } from './formats/located.ts'
import type { ReadyFile } from './formats/ready-file.ts'
import { type ChunkedKind, type ChunkResult, noDay } from './import-kind.ts'
import type { JournalChunk, KnownRows } from './journal/journal.ts'
import { isInRanges } from './journal/row-ranges.ts'

export type Sending = ReadyFile<ChunkedKind> & {
  client: Client
  plan: FilePlan
  /** Whether the journal records references too, because the target cannot be asked for them. */
  keepsRefs?: boolean
  useLint: boolean
  /** Shared by all chunks. */
  compare?: CatalogComparison | undefined
  /** Rows that were sent without an answer. */
  unanswered?: { rows: number }
  /** Keeps orders until their answer is noted. Answers what forgets them. */
  keep?: (upload: Uint8Array, key: string) => () => void
  /** Aborts a chunk that a service does not answer. */
  stop?: AbortSignal
}

export type SentChunk = {
  created: number
  /** Rows whose resource exists already, with the same content. */
  same: number
  /** Rows that failed here or there, in the file's order, with the file's row numbers. */
  errors: Located<CsvRowError>[]
  failed: FailedRow[]
  /** Rows that were sent. */
  sent: number
  /** The service had the result of this chunk already. */
  isReplay: boolean
  /** The id of one of the resources that were created; undefined where there is none. */
  made: string | undefined
  /** What was ordered, for the journal. */
  ordered: Pick<JournalChunk, 'orders' | 'refs'>
}

/**
 * Sends one chunk: as it stands in the file where it may, else the rows that passed the local check. `known`: what was ordered
 * before is not sent.
 */
export async function sendChunk(
  sending: Sending,
  chunk: PlannedChunk,
  key: string,
  known?: KnownRows,
): Promise<SentChunk> {
  const { plan, source, kind } = sending
  const raw = source.read(chunk.from, chunk.to)
  const isPlain = plan.header.every((name) => kind.columns.known.includes(name))
  if (isPlain && chunk.bad === 0 && known === undefined) {
    const upload = Buffer.concat([Buffer.from(csvLine(plan.header)), raw])
    const result = await send(sending, upload, key, chunk.rows)
    const areNeeded = result.errors.length > 0 || kind.ordersIn !== undefined
    const rows = areNeeded ? rowsOfChunk(sending, chunk, raw) : []
    return finish(sending, chunk, result, { sent: rows, bad: [], rows })
  }
  const { rows, good, bad } = checkedChunk(sending, chunk, noDay, raw)
  const { changed = [], same = '' } = known ?? {}
  const isSame = isInRanges(same)
  const isChanged = new Set(changed.map(({ row }) => row))
  const sent = known ? good.filter(({ row }) => !isSame(row) && !isChanged.has(row)) : good
  const result =
    sent.length === 0 ? nothing : await send(sending, encodeRows(kind, plan.header, sent), key, sent.length)
  return finish(sending, chunk, result, { sent, bad: [...bad, ...changed], rows, isSame })
}

type Result = Pick<SentChunk, 'created' | 'sent' | 'isReplay' | 'made'> & {
  errors: CsvRowError[]
  ids: () => string[]
}

const nothing: Result = { created: 0, errors: [], sent: 0, isReplay: false, made: undefined, ids: () => [] }

async function send(
  { kind, client, stop, keep, unanswered = { rows: 0 } }: Sending,
  upload: Uint8Array,
  key: string,
  sent: number,
): Promise<Result> {
  // What else is sent twice is there once.
  const forget = kind.isOrder ? keep?.(upload, key) : undefined
  unanswered.rows = sent
  const answer = await kind
    .send(client, { file: upload, idempotencyKey: key, signal: stop })
    .catch((error: unknown) => {
      if (isSurelyUndone(error)) {
        forget?.()
        unanswered.rows = 0
      }
      throw error
    })
  unanswered.rows = 0
  const { errors, totals } = resultWithoutRows(answer.text) ?? answer.data
  return {
    created: totals.created,
    errors,
    sent,
    isReplay: isReplayed(answer),
    made: totals.created > 0 ? firstMade(answer) : undefined,
    ids: () => answer.data.created.map(({ id = '' }) => id),
  }
}

/** The beginning of an answer names it, as a rule: the thousands of rows after it need not be read. */
function firstMade(answer: Answer<ChunkResult>): string | undefined {
  const head = /^\{"created":\[\{"(?:product_id|id)":"([^"\\]+)"/.exec(answer.text.slice(0, 200))
  if (head) return head[1]
  const [first] = answer.data.created
  return first?.product_id ?? first?.id
}

const beforeTotals = '"errors":[],"totals":'

/** The end of an answer without errors says it all: the thousands of rows before it need not be read. */
function resultWithoutRows(text: string): Omit<ChunkResult, 'created'> | undefined {
  const [, totals] = text.slice(-120).split(beforeTotals)
  const isWhole =
    totals !== undefined && /^\{"created":\d{1,9},"failed":0,"submitted":\d{1,9}\}\}$/.test(totals)
  return isWhole ? { errors: [], totals: JSON.parse(totals.slice(0, -1)) } : undefined
}

type ChunkRows = {
  sent: readonly CsvRow[]
  bad: readonly CsvRowError[]
  /** All of the chunk; none where nobody asks for them. */
  rows: readonly CsvRow[]
  isSame?: (row: number) => boolean
}

/** The service counts the rows that it was given; the operator those of the file. */
async function finish(
  sending: Sending,
  { firstRow }: PlannedChunk,
  { ids, ...result }: Result,
  { sent, bad, rows, isSame = () => false }: ChunkRows,
): Promise<SentChunk> {
  const refused = result.errors.map((error) => ({ ...error, row: sent[error.row - 1]?.row ?? error.row }))
  const valuesOf = (row: number): readonly string[] => rows[row - firstRow]?.values ?? []
  const { same, left } = await compared(sending, refused, valuesOf)
  const errors = [...left, ...bad].sort((a, b) => a.row - b.row)
  const inFile = errors.map((error) => located(error, sending.places))
  const failed = inFile.map(({ row, code, message }, index) => {
    return { row, code, message, values: valuesOf(errors[index]?.row ?? 0) }
  })
  const isRefused = new Set(refused.map(({ row }) => row))
  const carriedOut = sent.filter(({ row }) => !isRefused.has(row))
  const known = rows.filter(({ row }) => isSame(row)).length
  return { ...result, same: same + known, errors: inFile, failed, ordered: ordered(sending, carriedOut, ids) }
}

function ordered(
  { kind, plan, keepsRefs }: Sending,
  rows: readonly CsvRow[],
  ids: () => string[],
): SentChunk['ordered'] {
  if (kind.ordersIn === undefined || rows.length === 0) return {}
  return orderNote(kind.ordersIn(plan.header, rows), keepsRefs ? ids() : [])
}

/** Rows that failed because what they say is there: how many just say what is, and the failures that are left. */
async function compared(
  { compare, plan }: Sending,
  errors: readonly CsvRowError[],
  valuesOf: (row: number) => readonly string[],
): Promise<{ same: number; left: readonly CsvRowError[] }> {
  const conflicts = errors.filter(({ code }) => code === 'state_conflict')
  if (compare === undefined || conflicts.length === 0) return { same: 0, left: errors }
  const rows = conflicts.map(({ row }) => ({ row, values: valuesOf(row) }))
  const { unchanged, changed } = await compare(plan.header, rows)
  const inFull = new Map(changed.map((error) => [error.row, error]))
  const left = errors.filter(({ row }) => !unchanged.has(row)).map((error) => inFull.get(error.row) ?? error)
  return { same: unchanged.size, left }
}
