import type { Agent, IncomingMessage } from 'node:http'
import type { RetryHeaders } from '../../contract/call.ts'
import { type WebhookTarget, webhookTarget, webhookUrlFault } from '../../domain/webhooks/webhook-address.ts'
import { type AttemptResult, askedDelayMs } from '../../domain/webhooks/webhook-schedule.ts'
import { signedHeaders } from '../../domain/webhooks/webhook-signature.ts'
import type { Attempt } from '../../engine/webhooks/delivery-attempts.ts'
import { inTime, runtime } from '../../runtime/runtime.ts'
import { AttemptFault, createAttemptRecorder, faultOf } from './attempt-recorder.ts'
import { createConcurrencyLimiter, defaultLimits } from './concurrency-limiter.ts'
import { createConnectionGuard, createConnections, type Dialled } from './connections.ts'
import { putBack } from './delivery-batches.ts'
import { type DeliveryLoop, endBatches, idle, poll } from './delivery-loop.ts'
import type { DeliveryWorkerOptions } from './delivery-options.ts'

export type DeliveryWorker = {
  start(): void
  idle(): Promise<void>
  /** Gives running attempts `graceMs` (default 3,000) to end, and puts back the others. */
  stop(graceMs?: number): Promise<void>
}

const pollMsDefault = 1000
const graceMsDefault = 3000

/**
 * Delivers events at least once, in no order (decisions 9). Any number of workers may share a database: one leases each range of
 * the log and each delivery with a row, and a worker that is killed loses its leases after a minute.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { timers = runtime, signal } = options
  const connections = createConnections(options.guard ?? createConnectionGuard())
  const loop = createLoop(options, connections)
  let unsubscribe = (): void => {}
  return {
    start() {
      unsubscribe = signal.subscribe((scopeId) => poll(loop, scopeId))
      poll(loop, undefined)
    },
    idle: () => idle(loop),
    async stop(graceMs = graceMsDefault) {
      unsubscribe()
      loop.stopped = true
      for (const callOff of loop.alarms.values()) callOff()
      endBatches(loop)
      await inTime(idle(loop), graceMs, timers).catch(() => {})
      for (const abort of loop.running) abort.abort(putBack)
      await idle(loop)
      connections.destroy()
    },
  }
}

function createLoop(options: DeliveryWorkerOptions, connections: Agent): DeliveryLoop {
  const clock = (): number => options.sources.clock()
  const owner = Buffer.from(options.sources.random(16)).toString('hex')
  return {
    ...options,
    owner,
    timers: options.timers ?? runtime,
    attempt: options.attempt ?? ((attempt, abort) => makeAttempt(attempt, connections, clock, abort)),
    pollMs: options.pollMs ?? pollMsDefault,
    limiter: createConcurrencyLimiter({ ...defaultLimits, ...options.limits }),
    recorder: createAttemptRecorder(options),
    batches: new Set(),
    left: new Map(),
    underWay: new Set(),
    tasks: new Set(),
    running: new Set(),
    alarms: new Map(),
    due: new Set(),
    polling: new Set(),
    waiting: new Set(),
    stopped: false,
  }
}

const userAgent = 'Custody-Webhooks/1.0'

/** Never throws: an error is a result. Signed with the machine's time, not the scope's: receivers compare it with their own. */
async function makeAttempt(
  attempt: Attempt,
  connections: Agent,
  clock: () => number,
  abort: AbortSignal,
): Promise<AttemptResult> {
  try {
    if (webhookUrlFault(attempt.url) !== null) throw new AttemptFault('The URL is no longer allowed.')
    const posting = {
      target: webhookTarget(attempt.url),
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signedHeaders(attempt.secrets, attempt.eventId, attempt.payload, clock()),
      },
      body: attempt.payload,
    }
    const { status, headers } = await post(connections, posting, abort)
    return { response_code: status, error: null, retry_after_ms: askedDelayMs(headers, clock()) }
  } catch (error) {
    return { response_code: null, error: faultOf(error).message, retry_after_ms: null }
  }
}

type Posting = { target: WebhookTarget; headers: Record<string, string>; body: string }
type Answer = { status: number; headers: RetryHeaders }

/** The content is never used. */
const answerBytesMax = 64 * 1024

/**
 * The status decides, so a response whose body is cut off at 64 KiB or by the abort still counts. Redirects are not followed. If
 * the receiver has closed a kept connection meanwhile, another is used, and finally a new one.
 */
export async function post(connections: Agent, posting: Posting, abort: AbortSignal): Promise<Answer> {
  for (;;) {
    const answer = await postOnce(connections, posting, abort)
    if (answer !== 'stale') return answer
  }
}

function postOnce(
  connections: Agent,
  { target, headers, body: text }: Posting,
  abort: AbortSignal,
): Promise<Answer | 'stale'> {
  const http = process.getBuiltinModule('node:http')
  const body = Buffer.from(text)
  const options: Dialled = {
    agent: connections,
    target,
    abort,
    host: target.authority,
    port: target.port,
    method: 'POST',
    path: target.path,
    setHost: false,
    headers: { host: target.authority, ...headers, 'content-length': body.length },
  }
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined
    const request = http.request(options)
    const stop = (): void => {
      request.destroy(abort.reason)
    }
    const finish = (error?: Error): void => {
      abort.removeEventListener('abort', stop)
      if (answer) resolve(answer)
      else if (request.reusedSocket && !abort.aborted) resolve('stale')
      else reject(error ?? new AttemptFault('The connection was closed before an answer arrived.'))
    }
    request.once('error', finish)
    request.once('close', () => finish())
    request.once('response', (response) => {
      answer = { status: response.statusCode ?? 0, headers: response.headers }
      readAtMost(response, answerBytesMax, () => {
        if (!response.complete) request.destroy()
        finish()
      })
    })
    abort.addEventListener('abort', stop, { once: true })
    if (abort.aborted) stop()
    request.end(body)
  })
}

function readAtMost(response: IncomingMessage, bytes: number, done: () => void): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read >= bytes) done()
  })
  response.once('close', done)
  response.on('error', () => {})
}
