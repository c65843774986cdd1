import type { Call, CallBody, Reply } from '../../contract/call.ts'
import type { Operation } from '../../contract/operation.ts'
import { operation as operationOf } from '../../contract/operations.ts'
import { Rejection } from '../../domain/rejection.ts'
import { keptTrace } from '../../domain/trace.ts'
import type { ReadContext, Rest, SteppedWrite, UnitOfWork, WriteId } from '../../engine/context.ts'
import { fillIdentities, Repeated } from '../../engine/repeats.ts'
import { inUnitOfWork } from '../../engine/unit-of-work.ts'
import { inScope, type Tx, type WriteOptions } from '../../store/database.ts'
import { forgetUnfinished } from '../../store/tables/idempotency.ts'
import type { Scope, ScopeClock } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import { type Parsed, parseRequest } from '../parsing/parse.ts'
import type { Principal } from './authenticate.ts'
import {
  type FilledSlot,
  findStored,
  fingerprintOf,
  rejectBeyondQuota,
  replay,
  resultPath,
  retryOnce,
  store,
} from './idempotency.ts'
import { errorBody, jsonReply, statusOf } from './reply.ts'
import { answerInSteps } from './steps.ts'
import { briefBodyMax, largeBodyMin, pack } from './stored-body.ts'
import { lookUpFor, type Sent, writes } from './writes.ts'

type AnyWrite = {
  run?: (work: UnitOfWork, input: Parsed) => Promise<string>
  opens?: (view: ReadContext, input: Parsed) => Promise<Rest<string>>
  inSteps?: (sent: Sent, context: Context) => Promise<SteppedWrite>
  isBrief?: true
  asksFirst?: (context: Context, input: Parsed) => Promise<void>
}
type Weight = Pick<WriteOptions, 'brief'>
type How = Weight & { trace: string | undefined }
type Answer = { status: number; text: string | readonly string[] }

export async function answerWrite(
  context: Context,
  id: WriteId,
  call: Call,
  { scope, hasResult = true, clock }: Principal,
  key: string | undefined,
): Promise<Reply> {
  if (key === undefined) return perform(context, id, call, scope, { body: await call.body() })
  const slot = { scope, path: resultPath(id, call), key }
  const find = (tx: Tx) => findStored(context, inScope(tx, scope.id), slot)
  const stored = hasResult ? (await context.db.read(find, { single: true })).stored : undefined
  const identify = (body: CallBody) => alone(context, scope, body, () => fingerprintOf(body))
  if (stored)
    return markRepeated(id, await replay(stored, await call.body().then(identify, () => ''), call.makeRoom))
  const body = await call.body()
  const filled = { ...slot, fingerprint: await identify(body) }
  const fresh = hasResult ? undefined : clock
  return markRepeated(id, await perform(context, id, call, scope, { body, slot: filled, clock: fresh }))
}

/** A 200 instead of a 201 means that an earlier request created the resource (decisions 13). */
function markRepeated(id: WriteId, reply: Reply): Reply {
  const { repeats, success } = operationOf(id) as Operation
  if (repeats && success === 201 && reply.status === 200) reply.headers['custody-repeated'] = 'true'
  return reply
}

/** Parsing takes as long as the body is large, so a partner has one large body at a time. */
function alone<T>({ uploads }: Context, scope: Scope, body: CallBody, task: () => Promise<T>): Promise<T> {
  return sizeOf(body) < largeBodyMin ? task() : uploads.run(scope.id, task)
}

function sizeOf(body: CallBody): number {
  if (body.kind === 'empty') return 0
  return body.kind === 'json'
    ? body.text.length
    : body.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

async function perform(
  context: Context,
  id: WriteId,
  call: Call,
  scope: Scope,
  { body, slot, clock }: { body: CallBody; slot?: FilledSlot; clock?: ScopeClock | undefined },
): Promise<Reply> {
  const operation = operationOf(id)
  const { run, opens, inSteps, isBrief = false, asksFirst } = writes[id] as AnyWrite
  const parsed = await alone(context, scope, body, () =>
    parseRequest(operation, call, body, lookUpFor(context, id, scope)),
  )
  const how = { ...weightOf(isBrief, body), trace: keptTrace(call.headers.traceparent) }
  await asksFirst?.(context, parsed)
  if (parsed.repeats === 'skip') await keepIdentities(context, scope)
  try {
    const status = operation.success
    if (slot && inSteps) return await answerInSteps(context, inSteps, slot, { ...parsed, how, status, clock })
    if (!run && !opens) throw new Error(`${id} is carried out in steps, which needs an Idempotency-Key`)
    return await writeOnce(context, scope, slot, how, async (view) => {
      const rest = opens ? await opens(view, parsed) : (work: UnitOfWork) => run!(work, parsed)
      return async (work) => ({ status, text: await rest(work) })
    })
  } catch (thrown) {
    // A 409 is a result too, and so is a repetition: stored by itself, since the transaction that led to it was rolled back.
    const result = slot && resultOf(thrown)
    if (!result) throw thrown
    return writeOnce(context, scope, slot, { brief: true, trace: how.trace }, async () => async ({ tx }) => {
      if (inSteps) await forgetUnfinished(tx, slot)
      return result
    })
  }
}

function resultOf(thrown: unknown): Answer | undefined {
  if (thrown instanceof Repeated) return { status: 200, text: thrown.text }
  if (!(thrown instanceof Rejection) || thrown.code !== 'state_conflict') return undefined
  return { status: statusOf(thrown), text: errorBody(thrown) }
}

/** Milliseconds for which a request fills in order identities itself. */
const fillsMs = 50

/**
 * Fills in the identities of orders from before migration 14, in steps, before the first comparison. With many, a service does
 * this between requests, so that none waits for a million; a command must do it all. Throws `rate_limited` until it is done.
 */
async function keepIdentities(context: Context, scope: Scope): Promise<void> {
  if (context.withIdentities.has(scope.id)) return
  const { uptime } = context.sources
  const until = uptime() + fillsMs
  while (await inUnitOfWork(context, scope, fillIdentities)) {
    if (context.principal !== undefined || uptime() < until) continue
    throw new Rejection(
      'rate_limited',
      'Orders from before the upgrade are still being prepared for Custody-Repeats. Try again in a moment.',
      { limit: 'order_identities', retry_after_seconds: 1 },
    )
  }
  context.withIdentities.add(scope.id)
}

/** The stored result is read after the scope is claimed, when every earlier holder has finished. */
async function writeOnce(
  context: Context,
  scope: Scope,
  slot: FilledSlot | undefined,
  how: How,
  opens: (view: ReadContext) => Promise<Rest<Answer>>,
): Promise<Reply> {
  const ask = async (view: ReadContext) => {
    const [found, run] = await Promise.all([slot && findStored(context, view.tx, slot), opens(view)])
    return { found, run }
  }
  const write = () =>
    inUnitOfWork(
      context,
      scope,
      async (work, { found, run }) => {
        if (slot && found?.stored) return replay(found.stored, slot.fingerprint)
        if (slot) rejectBeyondQuota(context, work)
        const { status, text } = await run(work)
        if (slot && found) await store(context, work, { ...slot, ...found }, status, await pack(text))
        return jsonReply(status, text)
      },
      { ...how, ask },
    )
  return slot ? retryOnce(write) : write()
}

function weightOf(isBrief: boolean, body: CallBody): Weight {
  if (body.kind === 'form') return {}
  return { brief: isBrief && sizeOf(body) <= briefBodyMax }
}
