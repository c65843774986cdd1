import { createHash } from 'node:crypto'
import type { Call, CallBody, Reply } from '../../contract/call.ts'
import { idempotencyKeyMax } from '../../contract/limits.ts'
import { operation as operationOf, pathOf } from '../../contract/operations.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import type { UnitOfWork } from '../../engine/context.ts'
import { openWork } from '../../engine/unit-of-work.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { StoreError, type Tx, type WriteOptions } from '../../store/database.ts'
import { findResult, insertResult, type StoredResult } from '../../store/tables/idempotency.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import type { ScopedId, WriteId } from './handlers.ts'
import { type Parsed, parseRequest } from './parse.ts'
import { prepares } from './pre-checks.ts'
import { errorBody, jsonReply, statusOf } from './reply.ts'
import { pack, unpack } from './stored-body.ts'
import { piecesInTurns } from './text-pieces.ts'
import { writeHandlers } from './write-handlers.ts'

type WriteHandler = (work: UnitOfWork, input: Parsed) => Promise<string>
/** Characters of a JSON body whose work is brief. */
const briefBodyMax = 16 * 1024
/** Bytes of a file whose work takes seconds: some thousand rows. */
const longFileMin = 512 * 1024
/** They change rows that lie anywhere, and so commit for long; what only adds rows is done sooner in the serving thread. */
const longWork: ReadonlySet<ScopedId> = new Set(['importFulfillmentsCsv'])
/** Bytes: a millisecond or two. */
const hashedAtOnce = 1024 * 1024
/** Where a result is stored: (scope, method and concrete path, key), decisions 4. */
type Slot = { scope: Scope; path: string; key: string; fingerprint: string }

/** The call's Idempotency-Key. Throws `invalid` where it is missing, empty, too long, sent twice or not printable ASCII. */
export function checkIdempotencyKey(call: Call): string {
  const sent = call.headers['idempotency-key']
  const refuse = (message: string): Refusal => invalid({ 'Idempotency-Key': [message] })
  if (Array.isArray(sent)) throw refuse('was sent twice; send it once')
  if (typeof sent !== 'string' || sent === '')
    throw refuse('is required on every POST; send a new value for each new action')
  if (sent.length > idempotencyKeyMax) throw refuse(`must have at most ${idempotencyKeyMax} characters`)
  if (!/^[\x20-\x7e]+$/.test(sent)) throw refuse('must be printable ASCII')
  return sent
}

/** Everything that is not a GET: replayed, or parsed and carried out in one transaction with its stored result. */
export async function answerWrite(
  context: Context,
  id: ScopedId,
  call: Call,
  scope: Scope,
  key: string | undefined,
): Promise<Reply> {
  if (key === undefined) return perform(context, id, call, scope, await call.body(), undefined)
  const path = `POST ${pathOf(id, canonicalParams(call))}`
  const slotless = { scope, path, key }
  const seek = (tx: Tx) => findStored(context, tx, { ...slotless, fingerprint: '' })
  const stored = await context.db.read(seek, { single: true })
  if (stored) return replay(stored, await call.body().then(fingerprintOf, () => ''))
  const body = await call.body()
  return perform(context, id, call, scope, body, { ...slotless, fingerprint: await fingerprintOf(body) })
}

async function perform(
  context: Context,
  id: ScopedId,
  call: Call,
  scope: Scope,
  body: CallBody,
  slot: Slot | undefined,
): Promise<Reply> {
  const operation = operationOf(id)
  const parsed = await parseRequest(operation, call, body)
  const run = writeHandlers[id as WriteId] as WriteHandler
  await prepares[id]?.(context, parsed)
  let wakes = false
  try {
    const reply = await writeOnce(context, scope, slot, lengthOf(id, body), async (tx) => {
      const { work, stored } = await claim(context, tx, scope, slot)
      if (slot && stored) return replay(stored, slot.fingerprint)
      const text = await run(work, parsed)
      await work.finish()
      if (slot) await store(context, tx, slot, operation.success, text)
      wakes = work.wakes
      return jsonReply(operation.success, text)
    })
    if (wakes) context.signal.notify(scope.id)
    return reply
  } catch (thrown) {
    if (!slot || !(thrown instanceof Refusal) || thrown.code !== 'state_conflict') throw thrown
    return storeConflict(context, slot, thrown)
  }
}

/** Whether the work is over in a moment, which an import or a manifest of thousands of lines is not, or commits for long. */
function lengthOf(id: ScopedId, body: CallBody): Pick<WriteOptions, 'brief' | 'long'> {
  if (body.kind === 'empty') return { brief: true }
  if (body.kind === 'json') return { brief: body.text.length <= briefBodyMax }
  return { long: longWork.has(id) && body.files.some(({ bytes }) => bytes.length >= longFileMin) }
}

/** A 409 is a result too: stored by itself, since what led to it was rolled back. */
async function storeConflict(context: Context, slot: Slot, refusal: Refusal): Promise<Reply> {
  return writeOnce(context, slot.scope, slot, { brief: true }, async (tx) => {
    const { stored } = await claim(context, tx, slot.scope, slot)
    if (stored) return replay(stored, slot.fingerprint)
    await store(context, tx, slot, statusOf(refusal), errorBody(refusal))
    return jsonReply(statusOf(refusal), errorBody(refusal))
  })
}

/** Opens the work and looks for the stored result, which is asked for behind the claim: whoever held the scope is over. */
async function claim(
  context: Context,
  tx: Tx,
  scope: Scope,
  slot: Slot | undefined,
): Promise<{ work: UnitOfWork; stored: StoredResult | undefined }> {
  const [work, stored] = await Promise.all([
    openWork(tx, scope, context.sources, context.settings),
    slot && findStored(context, tx, slot),
  ])
  return { work, stored }
}

/**
 * One transaction of the scope. Where nobody knows whether it was committed and its result would be stored, it is done
 * again: it claims the scope, so the lost one is over by then, and finds the result or makes it (decisions 4).
 */
async function writeOnce(
  context: Context,
  scope: Scope,
  slot: Slot | undefined,
  length: Pick<WriteOptions, 'brief' | 'long'>,
  transaction: (tx: Tx) => Promise<Reply>,
): Promise<Reply> {
  const write = () => context.db.write(transaction, { lane: scope.id, ...length })
  try {
    return await write()
  } catch (thrown) {
    if (!slot || !(thrown instanceof StoreError) || thrown.fault !== 'unknown') throw thrown
    return write().catch((again: unknown) => {
      throw again instanceof StoreError ? thrown : again
    })
  }
}

/** Real time, not the scope's clock: a demo that moves its clock must not forget its keys (decisions 11). */
function findStored(context: Context, tx: Tx, slot: Slot): Promise<StoredResult | undefined> {
  const notBefore = new Date(context.sources.clock() - context.idempotencyMs).toISOString()
  return findResult(tx, slot.scope.id, slot.path, slot.key, notBefore)
}

async function store(context: Context, tx: Tx, slot: Slot, status: number, text: string): Promise<void> {
  const result = { fingerprint: slot.fingerprint, status, body: await pack(text) }
  await insertResult(
    tx,
    slot.scope.id,
    slot.path,
    slot.key,
    result,
    new Date(context.sources.clock()).toISOString(),
  )
}

/** The original status and the original bytes; another body under the same key is answered so too, and told. */
async function replay(stored: StoredResult, fingerprint: string): Promise<Reply> {
  const headers: Record<string, string> = { 'idempotency-replayed': 'true' }
  if (fingerprint !== stored.fingerprint) headers['idempotency-mismatch'] = 'true'
  return jsonReply(stored.status, await unpack(stored.body), headers)
}

function canonicalParams(call: Call): Record<string, string> {
  return Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, value.toLowerCase()]))
}

/** A multipart body is its fields and its file's bytes: another boundary or filename is no mismatch (decisions 11). */
async function fingerprintOf(body: CallBody): Promise<string> {
  const hash = createHash('sha256')
  if (body.kind === 'empty') return ''
  if (body.kind === 'json') {
    if (body.text.length <= briefBodyMax) return hash.update(body.text).digest('base64')
    for await (const piece of piecesInTurns(body.text)) hash.update(piece)
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
