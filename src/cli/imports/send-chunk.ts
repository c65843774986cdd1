import type { Answer, Client } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { readCsv } from '../../domain/csv/csv-file.ts'
import type { CsvColumns } from '../../domain/csv/csv-header.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { CatalogComparison } from './catalog-rows.ts'
import { checkLocally } from './check-rows.ts'
import type { CsvSource } from './csv-source.ts'
import { csvLine, withoutGuards } from './csv-text.ts'
import type { FailedRow } from './errors-file.ts'
import type { FilePlan, PlannedChunk } from './file-plan.ts'
import { type ChunkedKind, type ChunkResult, noDay } from './import-kind.ts'

export type Sending = {
  client: Client
  kind: ChunkedKind
  columns: CsvColumns
  source: CsvSource
  plan: FilePlan
  useLint: boolean
  /** One for all chunks. */
  compare?: CatalogComparison | undefined
  /** Gives up a chunk that a service does not answer. */
  stop?: AbortSignal
}

export type SentChunk = {
  created: number
  /** Rows whose resource is there already, just as they say. */
  same: number
  /** Rows that failed here or there, in the file's order, with the file's row numbers. */
  errors: CsvRowError[]
  failed: FailedRow[]
  /** Rows that the service was given. */
  sent: number
  /** The service had the result of this chunk already. */
  isReplay: boolean
  /** The id of one of the resources that were created; undefined where there is none. */
  made: string | undefined
}

/** Sends one chunk: as it stands in the file where it may, else the rows that passed the local check. */
export async function sendChunk(sending: Sending, chunk: PlannedChunk, key: string): Promise<SentChunk> {
  const { plan, source, kind } = sending
  const raw = source.read(chunk.from, chunk.to)
  const isVerbatim = chunk.bad === 0 && plan.header.every((name) => kind.columns.known.includes(name))
  if (isVerbatim) {
    const upload = Buffer.concat([Buffer.from(csvLine(plan.header)), raw])
    const result = await send(sending, upload, key, chunk.rows)
    const rows = result.errors.length > 0 ? parseRows(sending, chunk, raw) : []
    return finish(sending, chunk, result, rows, [], rows)
  }
  const rows = parseRows(sending, chunk, raw)
  const codes = sending.useLint ? kind.codes : []
  const { good, bad } = checkLocally(plan.header, rows, kind.checker(plan.header, noDay), codes)
  const result = good.length === 0 ? nothing : await send(sending, encode(sending, good), key, good.length)
  return finish(sending, chunk, result, good, bad, rows)
}

type Result = Pick<SentChunk, 'created' | 'errors' | 'sent' | 'isReplay' | 'made'>

const nothing: Result = { created: 0, errors: [], sent: 0, isReplay: false, made: undefined }

async function send(
  { kind, client, stop }: Sending,
  upload: Uint8Array,
  key: string,
  sent: number,
): Promise<Result> {
  const answer = await kind.send(client, { file: upload, idempotencyKey: key, signal: stop })
  const { errors, totals } = resultWithoutRows(answer.text) ?? answer.data
  return {
    created: totals.created,
    errors,
    sent,
    isReplay: answer.headers['idempotency-replayed'] === 'true',
    made: totals.created > 0 ? firstMade(answer) : undefined,
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

/** The service counts the rows that it was given; the operator those of the file. */
async function finish(
  sending: Sending,
  chunk: PlannedChunk,
  result: Result,
  sent: readonly CsvRow[],
  bad: readonly CsvRowError[],
  rows: readonly CsvRow[],
): Promise<SentChunk> {
  const refused = result.errors.map((error) => ({ ...error, row: sent[error.row - 1]?.row ?? error.row }))
  const valuesOf = (row: number): readonly string[] => rows[row - chunk.firstRow]?.values ?? []
  const { same, left } = await compared(sending, refused, valuesOf)
  const errors = [...left, ...bad].sort((a, b) => a.row - b.row)
  const failed = errors.map(({ row, code, message }) => ({ row, code, message, values: valuesOf(row) }))
  return { ...result, same, errors, failed }
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

/** The rows of a chunk, with the numbers that they have in the file. */
function parseRows({ plan, columns }: Sending, { firstRow }: PlannedChunk, raw: Buffer): CsvRow[] {
  const noLimit = Number.POSITIVE_INFINITY
  const limits = { ...csvUploadLimits, fileBytes: noLimit, rows: noLimit }
  const { known, required } = columns
  // Named and left out already: what is not ours now was never to be read.
  const ignored = plan.header.filter((name) => !known.includes(name))
  const bytes = Buffer.concat([Buffer.from(csvLine(plan.header)), raw])
  const rows = withoutGuards(
    plan.header,
    [...readCsv(bytes, { known, required, ignored }, limits).rows].flat(),
  )
  return rows.map(({ row, values }) => ({ row: row + firstRow - 1, values }))
}

/** The columns that the service knows, of the rows that are sent. */
function encode({ plan, kind }: Sending, rows: readonly CsvRow[]): Buffer {
  const kept = plan.header.flatMap((name, at) => (kind.columns.known.includes(name) ? [at] : []))
  const lines = rows.map(({ values }) => csvLine(kept.map((at) => values[at] ?? '')))
  return Buffer.from(csvLine(kept.map((at) => plan.header[at] ?? '')) + lines.join(''))
}
