import type { Reply } from '../../contract/call.ts'
import { invalid } from '../../domain/rejection.ts'
import {
  type ReadContext,
  type StepPart,
  type SteppedWrite,
  stepTimer,
  type UnitOfWork,
} from '../../engine/context.ts'
import { scopeTime } from '../../engine/scope-time.ts'
import { atScopeTime, inUnitOfWork, readContext } from '../../engine/unit-of-work.ts'
import { sleep } from '../../runtime/runtime.ts'
import { inScope, type ScopedTx, StoreError, type Tx, type WriteOptions } from '../../store/database.ts'
import {
  findResultOrUnfinished,
  forgetUnfinished,
  listParts,
  saveStep,
  type UnfinishedWrite,
} from '../../store/tables/idempotency.ts'
import type { ScopeClock } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import type { ParsedForm } from '../parsing/parse.ts'
import {
  type FilledSlot,
  type FoundStep,
  findStep,
  rejectBeyondQuota,
  replay,
  retryOnce,
  store,
} from './idempotency.ts'
import { jsonReply } from './reply.ts'
import { largeBodyMin, pack, unpack } from './stored-body.ts'
import { type Sent, sentWith } from './writes.ts'

/** Milliseconds: an upload without progress for `stillMs` was interrupted; one with progress is waited for at most `waitedMs`. */
const stillMs = 5_000
const waitedMs = 30_000
const lookAgainMs = 100

/** `readOn`: the scope's date when the upload was read. `status`: the status of its response. */
type Given = { upload: SteppedWrite; readOn: string; status: number; how: StepOptions }
type StepOptions = Pick<WriteOptions, 'brief'> & { trace: string | undefined }

/** Limits large files, whose rows take some hundred megabytes, to one in memory per partner and four in all. */
export function answerInSteps(
  context: Context,
  open: (sent: Sent, context: Context) => Promise<SteppedWrite>,
  slot: FilledSlot,
  {
    how,
    status,
    clock,
    ...parsed
  }: ParsedForm & { how: StepOptions; status: number; clock: ScopeClock | undefined },
): Promise<Reply> {
  const readAndDo = async (): Promise<Reply> => {
    const today = parsed.file.length > 0 ? await dateOfReading(context, slot, clock) : ''
    const upload = await open(sentWith(context, slot.scope, today, parsed), context)
    return carryOut(context, slot, { upload, readOn: today, status, how })
  }
  return parsed.file.length < largeBodyMin ? readAndDo() : context.uploads.run(slot.scope.id, readAndDo)
}

/** The date by which rows are checked. An interrupted run keeps the date on which it began; `clock` is given if there is none. */
async function dateOfReading(
  context: Context,
  slot: FilledSlot,
  clock: ScopeClock | undefined,
): Promise<string> {
  if (clock) return scopeTime(context.sources, clock).slice(0, 10)
  const { scope } = slot
  const read = { scope: scope.id }
  return context.db.read(async (tx) => {
    const view = readContext(tx, scope, context)
    const { begun } = await findResultOrUnfinished(view.tx, slot)
    const { now } = await atScopeTime(view)
    return begun?.read_on ?? now.slice(0, 10)
  }, read)
}

/** The response; the parts done by any process since the last step; or `isOther` if another body was begun under the key. */
type Step = { reply: Reply } | { parts: StepPart[]; place: number } | { isOther: true }

/**
 * Runs an upload in transactions of some milliseconds, so that others get their turn. Progress and results are in the database: a
 * retry after a crash resumes and returns the same bytes, and a concurrent one helps. Throws `StoreError` `unknown` if the
 * database fails after the first step, since part of the upload is then done.
 */
async function carryOut(context: Context, slot: FilledSlot, given: Given): Promise<Reply> {
  const { upload, status, how } = given
  const parts: StepPart[] = []
  let place = 0
  const tell = (error: unknown): never => {
    const isInPart = place > 0 && error instanceof StoreError
    throw isInPart ? new StoreError('unknown', error.message, error) : error
  }
  const ask = async (view: ReadContext): Promise<FoundStep> => {
    const [found] = await Promise.all([findStep(context, view.tx, slot), place === 0 && upload.asks?.(view)])
    return found
  }
  for (;;) {
    const step = await retryOnce(() =>
      inUnitOfWork(context, slot.scope, (work, found) => takeStep(context, slot, given, work, found, place), {
        ...how,
        ask,
      }),
    ).catch(tell)
    if ('reply' in step) return step.reply
    if ('isOther' in step) await waitForOther(context, slot)
    else {
      parts.push(...step.parts)
      place = step.place
      if (place >= upload.end) break
    }
  }
  const text = await upload.answer(parts)
  const body = await pack(text)
  return retryOnce(() =>
    inUnitOfWork(
      context,
      slot.scope,
      async (work, { stored, isTaken }) => {
        if (stored) return replay(stored, slot.fingerprint)
        await store(context, work, { ...slot, isTaken }, status, body)
        await forgetUnfinished(work.tx, slot)
        return jsonReply(status, text)
      },
      { ask, trace: how.trace },
    ),
  ).catch(tell)
}

/** `known`: the place up to which the caller has the parts. */
async function takeStep(
  context: Context,
  slot: FilledSlot,
  { upload, readOn, status }: Given,
  work: UnitOfWork,
  { stored, isTaken, begun }: FoundStep,
  known: number,
): Promise<Step> {
  if (stored) return { reply: await replay(stored, slot.fingerprint) }
  if (begun && begun.fingerprint !== slot.fingerprint) return { isOther: true }
  rejectChanged(begun, readOn, known)
  if (!begun) rejectBeyondQuota(context, work)
  const from = begun?.place ?? 0
  const parts = from > known ? await partsFrom(work.tx, slot, known) : []
  const manifestId = begun?.manifest_id ?? undefined
  const part: StepPart = { created: [], errors: [], ...(manifestId && { manifestId }) }
  const place = await runSlice(context, upload, work, from, part)
  if (place === upload.end && !begun) {
    const text = await upload.answer([part])
    await store(context, work, { ...slot, isTaken }, status, await pack(text))
    return { reply: jsonReply(status, text) }
  }
  if (place > from) {
    const body = await pack(JSON.stringify(part))
    const now = new Date(context.sources.clock()).toISOString()
    const { fingerprint } = slot
    const unfinished = { fingerprint, read_on: readOn, place, manifest_id: part.manifestId ?? null }
    await saveStep(work.tx, slot, unfinished, { from, body }, { now, claims: work.claim.claims })
    parts.push(part)
  }
  return { parts, place }
}

/** Embedded, all in one transaction: no other request waits, and each commit would wait for the disk. */
async function runSlice(
  { principal, sources }: Context,
  upload: SteppedWrite,
  work: UnitOfWork,
  from: number,
  part: StepPart,
): Promise<number> {
  const mayContinue = principal ? () => true : stepTimer(sources)
  let place = from
  do {
    if (place < upload.end) place = await upload.take(work, place, part)
  } while (place < upload.end && mayContinue())
  return place
}

/** If the date has changed, or another process finished the upload and its result was deleted, the client must retry. */
function rejectChanged(begun: UnfinishedWrite | undefined, readOn: string, known: number): void {
  const isGone = known > 0 && !begun
  if (isGone || (begun && begun.read_on !== readOn))
    throw new StoreError('busy', 'Another request has started this upload; try again.')
}

/**
 * Another body under the key waits for the upload in progress, to get its result (decisions 4); the rows of the two must not mix.
 * An interrupted upload never gets a result. Throws `invalid` or `StoreError`.
 */
async function waitForOther({ db, sources }: Context, slot: FilledSlot): Promise<void> {
  const beganAt = sources.uptime()
  let movedAt = beganAt
  let place: number | undefined
  for (;;) {
    const ask = (tx: Tx) => findResultOrUnfinished(inScope(tx, slot.scope.id), slot)
    const { begun: other } = await db.read(ask, { single: true })
    if (!other || other.fingerprint === slot.fingerprint) return
    const now = sources.uptime()
    if (other.place !== place) movedAt = now
    place = other.place
    if (now - movedAt > stillMs) {
      throw invalid({
        'Idempotency-Key': ['belongs to an interrupted request with another body; send that one again first'],
      })
    }
    if (now - beganAt > waitedMs)
      throw new StoreError('busy', 'Another upload with this key is in progress; try again.')
    await sleep(lookAgainMs)
  }
}

async function partsFrom(tx: ScopedTx, slot: FilledSlot, from: number): Promise<StepPart[]> {
  const parts: StepPart[] = []
  for (const body of await listParts(tx, slot, from)) parts.push(JSON.parse(await unpack(body)))
  return parts
}
