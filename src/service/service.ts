import type { Call, Coding, Reply, Transport } from '../contract/call.ts'
import { replayedMs } from '../contract/limits.ts'
import { once } from '../contract/once.ts'
import { operation as operationOf } from '../contract/operations.ts'
import { invalid, notFound, Rejection } from '../domain/rejection.ts'
import { traceOf } from '../domain/trace.ts'
import type { ReadId, ScopedId, WriteId } from '../engine/context.ts'
import { runtime } from '../runtime/runtime.ts'
import { StoreError } from '../store/database.ts'
import { createFairQueue } from '../store/fair-queue.ts'
import type { Context, RateDecision, ServiceOptions, WorkLimiter } from './context.ts'
import { createEventSignal, type EventSignal } from './jobs/event-signal.ts'
import { limitHeaders, rateLimited } from './limits/limiter.ts'
import { longAnswer, Overloaded } from './limits/work-limits.ts'
import { requestIdOf, tenths } from './observe/scrub.ts'
import { authenticate, type Principal } from './pipeline/authenticate.ts'
import { preferredLast, preferredWait } from './pipeline/prefer.ts'
import { answerRead, loadReads } from './pipeline/read.ts'
import { internalErrorReply, overloadedReply, rejectedReply, unavailableReply } from './pipeline/reply.ts'
import { acceptedCoding, encoded } from './representation.ts'

export type Service = { handle: Transport; signal: EventSignal }

/** Large uploads whose rows are in memory, at most one per partner. */
const uploadsAtOnce = 4

/** Checks a call in this order (decisions 3): key, rate limit, route, `Idempotency-Key`, replay, validation, existence, state. */
export function createService(options: ServiceOptions): Service {
  const signal = createEventSignal(options.db.relay)
  const idempotencyMs = options.idempotencyMs ?? replayedMs
  const uploads = createFairQueue({ capacity: uploadsAtOnce, capacityOfOne: 1 })
  const withIdentities = new Set<number>()
  const context: Context = { ...options, signal, wake: signal.notify, idempotencyMs, uploads, withIdentities }
  return { signal, handle: (call) => handle(context, call) }
}

/** Loaded on demand: commands that only read start without this larger part of the engine. */
const loadWrite = once(() => import('./pipeline/write-transaction.ts'))
const loadOpenApi = once(() => import('./pipeline/open-api.ts'))
const loadIdempotency = once(() => import('./pipeline/idempotency.ts'))

/** An upgrade may delete the program's files while a server runs, so a server loads everything before it starts. */
export async function loadAll(): Promise<void> {
  await Promise.all([loadWrite(), loadOpenApi(), loadIdempotency(), loadReads()])
  await Promise.all([import('../contract/document/openapi.ts'), import('../domain/csv/csv-file.ts')])
}

async function handle(context: Context, call: Call): Promise<Reply> {
  const started = runtime.uptime()
  const requestId = requestIdOf(call.headers['x-request-id'], () => newRequestId(context))
  const seen: Noted = {}
  let error: unknown
  const reply = await answer(context, call, seen).catch((thrown: unknown) => {
    if (!(thrown instanceof Rejection || thrown instanceof Overloaded)) error = thrown
    return rejectionReply(thrown, requestId, call)
  })
  reply.headers['x-request-id'] = requestId
  if (seen.limit) Object.assign(reply.headers, limitHeaders(seen.limit))
  context.log?.({
    request_id: requestId,
    ...traceOf(call.headers.traceparent),
    operation: call.operation ?? 'unknown',
    status: reply.status,
    duration_ms: tenths(runtime.uptime() - started),
    ...(seen.principal && { partner: seen.principal.scope.partner_name }),
    ...(!seen.principal && call.address && { address: call.address }),
    ...(seen.principal?.keyId && { key_id: seen.principal.keyId }),
    ...(error !== undefined && { error }),
  })
  return reply
}

type Noted = { principal?: Principal; limit?: RateDecision }

async function answer(context: Context, call: Call, seen: Noted): Promise<Reply> {
  const id = call.operation
  if (id === 'getOpenApi')
    return inCoding(context, call, async (coding) => (await loadOpenApi()).answerOpenApi(call, coding))
  const principal = await authenticate(context, call, await resultPlace(id, call))
  seen.principal = principal
  const limit = await context.limiter?.take(principal.keyId ?? 'embedded', context.sources.clock())
  if (limit) seen.limit = limit
  if (limit && !limit.allowed) throw rateLimited(limit)
  const { work } = context
  const answerWithin = (counted: Call): Promise<Reply> => answerScoped(context, counted, principal)
  return work ? withinLimits(work, principal.keyId ?? 'embedded', call, answerWithin) : answerWithin(call)
}

/** Found here, because the query for the key also tells whether a result is stored. */
async function resultPlace(
  id: Call['operation'],
  call: Call,
): Promise<{ path: string; key: string } | undefined> {
  if (id === undefined || operationOf(id).method !== 'POST') return undefined
  return (await loadIdempotency()).resultPlaceOf(id, call)
}

async function answerScoped(context: Context, call: Call, principal: Principal): Promise<Reply> {
  const { scope } = principal
  const id = call.operation
  if (id === undefined || id === 'getOpenApi' || Object.values(call.params).includes('')) throw notFound()
  const operation = operationOf(id)
  if (operation.sandboxOnly && scope.environment !== 'sandbox') throw notFound()
  const respond = (): Promise<Reply> => answerPlain(context, id, call, principal)
  return inCoding(context, call, respond, operation.showsSecret)
}

/** Returns 406 before any work if the call accepts no coding that the service has. */
async function inCoding(
  { compresses }: Context,
  call: Call,
  respond: (coding?: Coding) => Promise<Reply>,
  isNeverCompressed: boolean | undefined = false,
): Promise<Reply> {
  const accepted = acceptedCoding(call.headers['accept-encoding'])
  const isPlain = isNeverCompressed || compresses === false
  if (accepted.isPlainRejected && (isPlain || accepted.coding === undefined)) return notAcceptable()
  if (isPlain) return respond()
  const reply = await respond(accepted.coding).catch((thrown: unknown) => {
    if (thrown instanceof Rejection) return rejectedReply(thrown)
    throw thrown
  })
  return encoded(reply, accepted, longAnswer)
}

function notAcceptable(): Reply {
  const reply = rejectedReply(invalid({ 'Accept-Encoding': ['excludes every encoding of this response'] }))
  return { ...reply, status: 406, headers: { ...reply.headers, vary: 'Accept-Encoding' } }
}

async function answerPlain(context: Context, id: ScopedId, call: Call, principal: Principal): Promise<Reply> {
  const operation = operationOf(id)
  if (operation.method === 'GET') return answerRead(context, id as ReadId, call, principal)
  const { checkIdempotencyKey } = await loadIdempotency()
  const key = operation.method === 'POST' ? checkIdempotencyKey(call) : undefined
  const { answerWrite } = await loadWrite()
  return answerWrite(context, id as WriteId, call, principal, key)
}

function rejectionReply(thrown: unknown, requestId: string, call: Call): Reply {
  if (thrown instanceof StoreError && thrown.fault !== 'corrupt') {
    return unavailableReply(requestId, thrown.fault === 'unknown')
  }
  if (thrown instanceof Overloaded) return overloadedReply(requestId)
  if (!(thrown instanceof Rejection)) return internalErrorReply(requestId)
  const reply = rejectedReply(thrown)
  if (call.operation === undefined && call.allow?.length) reply.headers.allow = call.allow.join(', ')
  return reply
}

function newRequestId({ newRequestId, sources }: Context): string {
  return newRequestId?.() ?? Buffer.from(sources.random(16)).toString('hex')
}

/** Throws `rate_limited` or `Overloaded` if the key has too much in progress. */
export async function withinLimits(
  work: WorkLimiter,
  key: string,
  call: Call,
  answer: (call: Call) => Promise<Reply>,
): Promise<Reply> {
  const ends = [work.take(key, mayWait(call) ? 'waits' : 'requests')]
  try {
    // Checked first, to do no work for a response that would not fit in memory.
    work.check(key, 'answerBytes')
    const count = (bytes: number): void => void ends.push(work.take(key, 'uploadBytes', bytes))
    const makeRoom: Call['makeRoom'] = (bytes) =>
      bytes > longAnswer ? work.take(key, 'answerBytes', bytes) : undefined
    const reply = await answer({ ...call, body: () => call.body(count), makeRoom })
    const bytes = reply.body.length
    if (bytes <= longAnswer) reply.sent?.()
    if (bytes <= longAnswer || reply.sent) return reply
    // A committed write is always acknowledged, however long its response.
    const keep = isRead(call) ? work.take : work.hold
    return { ...reply, sent: keep(key, 'answerBytes', bytes) }
  } finally {
    for (const end of ends) end()
  }
}

function isRead({ operation }: Call): boolean {
  return operation !== undefined && operationOf(operation).method === 'GET'
}

function mayWait(call: Call): boolean {
  const { operation } = call
  if (operation === undefined || !operationOf(operation).waits) return false
  return preferredWait(call) > 0 && !preferredLast(call)
}
