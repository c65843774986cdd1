import type { Reply } from '../../contract/call.ts'
import { invalid } from '../../domain/refusal.ts'
import type { UnitOfWork } from '../../engine/context.ts'
import { inWork } from '../../engine/in-work.ts'
import { type CatalogLookUp, catalogSkusOf } from '../../engine/items/products.ts'
import { type StepPart, type SteppedWrite, stepTimer } from '../../engine/stepped-write.ts'
import { atScopeTime } from '../../engine/unit-of-work.ts'
import { sleep } from '../../runtime/waiting.ts'
import { StoreError, type Tx, type WriteOptions } from '../../store/database.ts'
import {
  findUnfinished,
  forgetUnfinished,
  listParts,
  saveStep,
  type UnfinishedWrite,
} from '../../store/tables/idempotency.ts'
import type { Context } from '../context.ts'
import type { ParsedForm } from '../parsing/parse.ts'
import {
  type FilledSlot,
  type Found,
  findStored,
  onceMore,
  refuseBeyondQuota,
  replay,
  store,
} from './idempotency.ts'
import { jsonReply } from './reply.ts'
import { largeBodyMin, pack, unpack } from './stored-body.ts'
import type { Sent } from './writes.ts'

/** An upload that stands still for so long was cut off; one that goes on is waited for no longer than that; milliseconds. */
const stillMs = 5_000
const waitedMs = 30_000
const lookAgainMs = 100

/** `readOn`: the scope's date by which the upload was read. `status`: that of its answer. */
type Given = { upload: SteppedWrite; readOn: string; status: number; how: StepOptions }
/** `trace`: its events' (domain/trace.ts). */
type StepOptions = Pick<WriteOptions, 'brief'> & { trace: string | undefined }

/**
 * Reads an upload and carries it out. Of large files, whose rows are some hundred megabytes, a partner has one in memory at a
 * time, and all partners together have four.
 */
export function answerInSteps(
  context: Context,
  open: (sent: Sent, context: Context) => Promise<SteppedWrite>,
  slot: FilledSlot,
  { how, status, ...parsed }: ParsedForm & { how: StepOptions; status: number },
): Promise<Reply> {
  const readAndDo = async (): Promise<Reply> => {
    const today = parsed.file.length > 0 ? await dateOfReading(context, slot) : ''
    const { db, sources, settings } = context
    const { scope } = slot
    const catalog: CatalogLookUp = (skus) =>
      db.read((tx) => catalogSkusOf({ tx, scope, sources, settings }, skus), { scope: scope.id, long: true })
    const upload = await open({ ...parsed, today, catalog, scope }, context)
    return carryOut(context, slot, { upload, readOn: today, status, how })
  }
  return parsed.file.length < largeBodyMin ? readAndDo() : context.uploads.run(slot.scope.id, readAndDo)
}

/** The date by which rows are judged. A run that was cut off keeps the date on which it began. */
async function dateOfReading({ db, sources, settings }: Context, slot: FilledSlot): Promise<string> {
  const { scope } = slot
  const read = { scope: scope.id }
  return db.read(async (tx) => {
    const begun = await findUnfinished(tx, slot)
    const { now } = await atScopeTime({ tx, scope, sources, settings })
    return begun?.read_on ?? now.slice(0, 10)
  }, read)
}

/** What is found behind the claim. */
type FoundStep = Found & { begun: UnfinishedWrite | undefined }

/** What a step has come to: the answer, or the parts that were done since the last one, by whomever; none where another body was begun. */
type Step = { reply: Reply } | { parts: StepPart[]; place: number } | { isOther: true }

/**
 * Carries an upload out in transactions of some milliseconds, between which others have their turn. How far it has come is in
 * the database with what it came to, so that a retry after a crash goes on from there and answers with the same bytes; one that
 * comes meanwhile helps it along. What the first step can do all of is one transaction. Throws `StoreError` `unknown` where the
 * database fails behind the first step: a part is carried out.
 */
async function carryOut(context: Context, slot: FilledSlot, given: Given): Promise<Reply> {
  const { upload, status, how } = given
  const parts: StepPart[] = []
  let place = 0
  const tell = (error: unknown): never => {
    const isInPart = place > 0 && error instanceof StoreError
    throw isInPart ? new StoreError('unknown', error.message, error) : error
  }
  const ask = async (tx: Tx): Promise<FoundStep> => {
    const [found, begun] = await Promise.all([findStored(context, tx, slot), findUnfinished(tx, slot)])
    return { ...found, begun }
  }
  for (;;) {
    const step = await onceMore(() =>
      inWork(context, slot.scope, (work, found) => takeStep(context, slot, given, work, found, place), {
        ...how,
        ask,
      }),
    ).catch(tell)
    if ('reply' in step) return step.reply
    if ('isOther' in step) await whenOtherIsOver(context, slot)
    else {
      parts.push(...step.parts)
      place = step.place
      if (place >= upload.end) break
    }
  }
  const text = await upload.answer(parts)
  const body = await pack(text)
  return onceMore(() =>
    inWork(
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

/** `known`: the place up to which the parts are known. */
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
  refuseChanged(begun, readOn, known)
  if (!begun) refuseBeyondQuota(context, work)
  const from = begun?.place ?? 0
  const parts = from > known ? await partsFrom(work.tx, slot, known) : []
  const manifestId = begun?.manifest_id ?? undefined
  const part: StepPart = { created: [], errors: [], ...(manifestId && { manifestId }) }
  const place = await doSome(context, upload, work, from, part)
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

/** Embedded, nobody of this process waits, and each commit is a wait for the disk. */
async function doSome(
  { principal, sources }: Context,
  upload: SteppedWrite,
  work: UnitOfWork,
  from: number,
  part: StepPart,
): Promise<number> {
  const mayGoOn = principal ? () => true : stepTimer(sources)
  let place = from
  do {
    if (place < upload.end) place = await upload.take(work, place, part)
  } while (place < upload.end && mayGoOn())
  return place
}

/**
 * A date that has changed since is found anew by whoever tries again, and so is all of one that somebody else has finished and was
 * forgotten since.
 */
function refuseChanged(begun: UnfinishedWrite | undefined, readOn: string, known: number): void {
  const isGone = known > 0 && !begun
  if (isGone || (begun && begun.read_on !== readOn))
    throw new StoreError('busy', 'Another request started this upload meanwhile; try again.')
}

/**
 * Another body under the key waits for the one that is carried out, to be answered with its result (decisions 4). The rows of one cannot
 * be put behind those of the other: of one that stands still, and so was cut off, no result comes. Throws invalid, or `StoreError`.
 */
async function whenOtherIsOver({ db, sources }: Context, slot: FilledSlot): Promise<void> {
  const beganAt = sources.uptime()
  let movedAt = beganAt
  let place: number | undefined
  for (;;) {
    const other = await db.read((tx) => findUnfinished(tx, slot), { single: true })
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

async function partsFrom(tx: Tx, slot: FilledSlot, from: number): Promise<StepPart[]> {
  const parts: StepPart[] = []
  for (const body of await listParts(tx, slot, from)) parts.push(JSON.parse(await unpack(body)))
  return parts
}
