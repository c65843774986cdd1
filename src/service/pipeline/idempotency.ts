import { createHash, hash as hashOf } from 'node:crypto'
import type { Call, CallBody, Reply } from '../../contract/call.ts'
import { idempotencyKeyMax } from '../../contract/limits.ts'
import { type OperationId, pathOf } from '../../contract/operations.ts'
import { invalid, Rejection } from '../../domain/rejection.ts'
import type { UnitOfWork } from '../../engine/context.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { type ScopedTx, StoreError } from '../../store/database.ts'
import {
  type AgedResult,
  findResult,
  findResultOrUnfinished,
  insertResult,
  isRemembered,
  type StoredResult,
  type UnfinishedWrite,
} from '../../store/tables/idempotency.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import { jsonReply } from './reply.ts'
import { briefBodyMax, bytesInTurns, unpackedSize, unpackInPieces } from './stored-body.ts'

/** Bytes per turn: half a millisecond. */
const hashedAtOnce = 256 * 1024
/** Old results are deleted every ten minutes (jobs/upkeep.ts). */
const quotaRetrySeconds = 600

/** Scope, method with concrete path, and key identify a stored result (decisions 4). */
type Slot = { scope: Scope; path: string; key: string }
export type FilledSlot = Slot & { fingerprint: string }

/** Throws `invalid` if the Idempotency-Key is missing, empty, too long, sent twice or not printable ASCII. */
export function checkIdempotencyKey(call: Call): string {
  const sent = call.headers['idempotency-key']
  const keyFault = (message: string): Rejection => invalid({ 'Idempotency-Key': [message] })
  if (Array.isArray(sent)) throw keyFault('was sent twice; send it once')
  if (typeof sent !== 'string' || sent === '')
    throw keyFault('is required on every POST; send a new value for each new action')
  if (sent.length > idempotencyKeyMax) throw keyFault(`must have at most ${idempotencyKeyMax} characters`)
  if (!/^[\x20-\x7e]+$/.test(sent)) throw keyFault('must be printable ASCII')
  const key = unquoted(sent)
  if (key === '') throw keyFault('is empty; send a new value for each new action')
  return key
}

/** A key may come as a structured field's string (draft-ietf-httpapi-idempotency-key-header): `"abc"` is the key `abc`. */
function unquoted(sent: string): string {
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(sent)?.[1]
  return inner === undefined ? sent : inner.replace(/\\(["\\])/g, '$1')
}

export function resultPath(id: OperationId, { params }: Call): string {
  const canonical = Object.entries(params).map(([name, value]) => [name, value.toLowerCase()])
  return `POST ${pathOf(id, Object.fromEntries(canonical))}`
}

/** Undefined if the call's Idempotency-Key is not valid. */
export function resultPlaceOf(id: OperationId, call: Call): { path: string; key: string } | undefined {
  try {
    return { path: resultPath(id, call), key: checkIdempotencyKey(call) }
  } catch (thrown) {
    if (thrown instanceof Rejection) return undefined
    throw thrown
  }
}

/** `isTaken`: a result exists, even if it is too old to be replayed. */
export type Found = { stored: StoredResult | undefined; isTaken: boolean }

/** Uses real time: a demo that moves its scope's clock must not lose its keys (decisions 11). */
export async function findStored(context: Context, tx: ScopedTx, slot: Slot): Promise<Found> {
  return foundOf(context, await findResult(tx, slot.path, slot.key))
}

export type FoundStep = Found & { begun: UnfinishedWrite | undefined }

export async function findStep(context: Context, tx: ScopedTx, slot: Slot): Promise<FoundStep> {
  const { result, begun } = await findResultOrUnfinished(tx, slot)
  return { ...foundOf(context, result), begun }
}

function foundOf({ sources, idempotencyMs }: Context, result: AgedResult | undefined): Found {
  const notBefore = new Date(sources.clock() - idempotencyMs).toISOString()
  const stored = result && isRemembered(result, notBefore) ? result : undefined
  return { stored, isTaken: result !== undefined }
}

export async function store(
  context: Context,
  work: UnitOfWork,
  slot: FilledSlot & Pick<Found, 'isTaken'>,
  status: number,
  body: Uint8Array,
): Promise<void> {
  const { path, key, fingerprint, isTaken } = slot
  const now = new Date(context.sources.clock()).toISOString()
  const { claims } = work.claim
  await insertResult(work.tx, path, key, { fingerprint, status, body, claims }, now)
  if (!isTaken) work.claim.stored_results += 1
}

/** Throws `rate_limited` if the partner has reached its maximum of stored results. */
export function rejectBeyondQuota({ storedResultsMax }: Context, work: UnitOfWork): void {
  if (storedResultsMax === undefined || work.claim.stored_results < storedResultsMax) return
  const most = storedResultsMax.toLocaleString('en')
  throw new Rejection(
    'rate_limited',
    `Too many results are stored for replay: at most ${most}; the oldest are deleted from time to time.`,
    { limit: 'stored_results', retry_after_seconds: quotaRetrySeconds },
  )
}

/**
 * If the commit's outcome is unknown, runs the write again: the key makes that safe. It claims the scope, so the lost transaction
 * has ended by then, and either finds its result or does the work (decisions 4).
 */
export async function retryOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (thrown) {
    if (!(thrown instanceof StoreError) || thrown.fault !== 'unknown') throw thrown
    return write().catch((again: unknown) => {
      throw again instanceof StoreError ? thrown : again
    })
  }
}

/** A different body gets the original result, marked as a mismatch. Reserves memory first: many requests may unpack long results. */
export async function replay(
  stored: StoredResult,
  fingerprint: string,
  makeRoom?: Call['makeRoom'],
): Promise<Reply> {
  const sent = makeRoom?.(unpackedSize(stored.body))
  try {
    const reply = await replayed(stored, fingerprint)
    return sent ? { ...reply, sent } : reply
  } catch (error) {
    sent?.()
    throw error
  }
}

async function replayed(stored: StoredResult, fingerprint: string): Promise<Reply> {
  const headers: Record<string, string> = { 'idempotency-replayed': 'true' }
  if (fingerprint !== stored.fingerprint) headers['idempotency-mismatch'] = 'true'
  return jsonReply(stored.status, await unpackInPieces(stored.body), headers)
}

/** Compares a multipart body by its fields and its file's bytes: the boundary and the filename may differ (decisions 11). */
export async function fingerprintOf(body: CallBody): Promise<string> {
  if (body.kind === 'empty') return ''
  if (body.kind === 'json' && body.text.length <= briefBodyMax) return hashOf('sha256', body.text, 'base64')
  const hash = createHash('sha256')
  if (body.kind === 'json') {
    for await (const piece of bytesInTurns([body.text])) hash.update(piece)
    return hash.digest('base64')
  }
  const fields = [...body.fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  hash.update(JSON.stringify(fields))
  for (const file of body.files) {
    hash.update(`\0${file.name}\0`)
    for (let from = 0; from < file.bytes.length; from += hashedAtOnce) {
      hash.update(file.bytes.subarray(from, from + hashedAtOnce))
      await yieldToEventLoop()
    }
  }
  return hash.digest('base64')
}
