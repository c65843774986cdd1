import type { Call, CallBody, Reply } from '../../contract/call.ts'
import type { Operation } from '../../contract/operation.ts'
import { operation as operationOf, pathOf } from '../../contract/operations.ts'
import { Refusal } from '../../domain/refusal.ts'
import { keptTrace } from '../../domain/trace.ts'
import type { UnitOfWork } from '../../engine/context.ts'
import { inWork } from '../../engine/in-work.ts'
import type { Tx, WriteOptions } from '../../store/database.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import { type Parsed, parseRequest } from '../parsing/parse.ts'
import type { ScopedId, WriteId } from './handlers.ts'
import {
  type FilledSlot,
  findStored,
  fingerprintOf,
  onceMore,
  refuseBeyondQuota,
  replay,
  store,
} from './idempotency.ts'
import { lookUpFor } from './look-ups.ts'
import { preChecks } from './pre-checks.ts'
import { errorBody, jsonReply, statusOf } from './reply.ts'
import { answerInSteps, isStepped, largeBodyMin } from './stepped-writes.ts'
import { pack } from './stored-body.ts'
import { briefBodyMax } from './text-pieces.ts'
import { writeHandlers } from './write-handlers.ts'

type WriteHandler = (work: UnitOfWork, input: Parsed) => Promise<string>
type Weight = Pick<WriteOptions, 'brief'>
type How = Weight & { trace: string | undefined }
/** What a transaction answers: its status, and the text that is stored with it. */
type Answer = { status: number; text: string }

/** Everything that is not a GET: replayed, or parsed and carried out in one transaction with its stored result. */
export async function answerWrite(
  context: Context,
  id: ScopedId,
  call: Call,
  scope: Scope,
  key: string | undefined,
): Promise<Reply> {
  if (key === undefined) return perform(context, id, call, scope, await call.body(), undefined)
  const slot = { scope, path: `POST ${pathOf(id, canonicalParams(call))}`, key }
  const { stored } = await context.db.read((tx) => findStored(context, tx, slot), { single: true })
  const identify = (body: CallBody) => alone(context, scope, body, () => fingerprintOf(body))
  if (stored) return replay(stored, await call.body().then(identify, () => ''), call.makeRoom)
  const body = await call.body()
  return perform(context, id, call, scope, body, { ...slot, fingerprint: await identify(body) })
}

/** What takes as long as its body is large: of large ones a partner has one at a time. */
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
  id: ScopedId,
  call: Call,
  scope: Scope,
  body: CallBody,
  slot: FilledSlot | undefined,
): Promise<Reply> {
  const operation = operationOf(id)
  const parsed = await alone(context, scope, body, () =>
    parseRequest(operation, call, body, lookUpFor(context, id, scope)),
  )
  const how = { ...weightOf(operation, body), trace: keptTrace(call.headers.traceparent) }
  await preChecks[id]?.(context, parsed)
  try {
    if (slot && isStepped(id)) return await answerInSteps(context, id, slot, { ...parsed, how })
    const run = writeHandlers[id as WriteId] as WriteHandler
    return await writeOnce(context, scope, slot, how, async (work) => {
      return { status: operation.success, text: await run(work, parsed) }
    })
  } catch (thrown) {
    if (!slot || !(thrown instanceof Refusal) || thrown.code !== 'state_conflict') throw thrown
    // A 409 is a result too: stored by itself, since what led to it was rolled back.
    const conflict = { status: statusOf(thrown), text: errorBody(thrown) }
    return writeOnce(context, scope, slot, { brief: true, trace: how.trace }, async () => conflict)
  }
}

/** One transaction of the scope, with its stored result; that is asked for behind the claim: whoever held the scope is over. */
async function writeOnce(
  context: Context,
  scope: Scope,
  slot: FilledSlot | undefined,
  how: How,
  run: (work: UnitOfWork) => Promise<Answer>,
): Promise<Reply> {
  const ask = slot && ((tx: Tx) => findStored(context, tx, slot))
  const write = () =>
    inWork(
      context,
      scope,
      async (work, found) => {
        if (slot && found?.stored) return replay(found.stored, slot.fingerprint)
        if (slot) refuseBeyondQuota(context, work)
        const { status, text } = await run(work)
        if (slot && found) await store(context, work, { ...slot, ...found }, status, await pack(text))
        return jsonReply(status, text)
      },
      { ...how, ...(ask && { ask }) },
    )
  return slot ? onceMore(write) : write()
}

/** Whether a write is over in a moment, as far as its operation and its body tell. */
function weightOf(operation: Operation, body: CallBody): Weight {
  if (body.kind === 'form') return {}
  return { brief: operation.brief === true && sizeOf(body) <= briefBodyMax }
}

function canonicalParams(call: Call): Record<string, string> {
  return Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, value.toLowerCase()]))
}
