import { isSuccess } from '../../domain/webhooks/webhook-attempt.ts'
import {
  type Attempt,
  type LeasedBatch,
  type SettledAttempt,
  settleAttempt,
  settleBatch,
  type Verdict,
} from '../../engine/webhooks/delivery-attempts.ts'
import { releaseDelivery } from '../../store/tables/webhooks/delivery-leases.ts'
import type { AttemptRecorder } from './attempt-recorder.ts'
import type { Subscriber } from './concurrency-limiter.ts'

/** The abort reason of an attempt that is put back. */
export const putBack = new Error('put back')

/** An attempt that has ended; put back where the process stopped before it did. */
export type EndedAttempt = SettledAttempt & { isPutBack: boolean; ms: number }
/** `put_back`: the process stopped before the attempt ended. */
export type AttemptVerdict = Verdict | 'put_back'

/** A leased batch: some attempts have ended, some are under way, the rest has not begun. */
export type Batch = Subscriber & {
  leased: LeasedBatch
  begun: number
  ended: EndedAttempt[]
  underWay: Set<Attempt>
  /** No further attempt begins: one has failed or takes long, or the process stops. */
  isOver: boolean
  /** What still runs has a row of its own. */
  isRecorded: boolean
  /** The uptime at which it was last seen that it is still to be sent so. */
  seenAt: number
}

export function newBatch(subscriber: Subscriber, leased: LeasedBatch, seenAt: number): Batch {
  const begun = { begun: 0, ended: [], underWay: new Set<Attempt>(), isOver: false, isRecorded: false }
  return { ...subscriber, leased, ...begun, seenAt }
}

/** Whether there is an attempt that may begin. */
export function hasRest({ leased, begun, isOver }: Batch): boolean {
  return !isOver && begun < leased.attempts.length
}

export function beginNext(batch: Batch): Attempt | undefined {
  const attempt = hasRest(batch) ? batch.leased.attempts[batch.begun] : undefined
  if (!attempt) return undefined
  batch.begun += 1
  batch.underWay.add(attempt)
  return attempt
}

/** Notes that an attempt has ended. A failure ends the batch: from then on the receiver gets one at a time. */
export function noteEnded(batch: Batch, ended: EndedAttempt): void {
  batch.underWay.delete(ended.attempt)
  batch.ended.push(ended)
  if (!isSuccess(ended.result)) batch.isOver = true
}

/** Whether every attempt that began has ended, and no further one begins. */
export function isDone(batch: Batch): boolean {
  return batch.underWay.size === 0 && !hasRest(batch)
}

/** Records a batch; answers what to report of each attempt that has ended. */
export async function recordBatch(
  recorder: AttemptRecorder,
  batch: Batch,
): Promise<Array<{ ended: EndedAttempt; verdict: AttemptVerdict }>> {
  batch.isOver = batch.isRecorded = true
  const [back, settled] = [
    batch.ended.filter((one) => one.isPutBack),
    batch.ended.filter((one) => !one.isPutBack),
  ]
  const ended = { settled, underWay: [...batch.underWay], putBack: back.map(({ attempt }) => attempt) }
  const rows = batch.ended.length + batch.underWay.size
  const verdicts = await recorder.record(batch.scopeId, rows, (work) =>
    settleBatch(work, batch.leased, ended),
  )
  return [
    ...settled.map((one, at) => ({ ended: one, verdict: verdicts[at] ?? 'lost' })),
    ...back.map((one) => ({ ended: one, verdict: 'put_back' as const })),
  ]
}

/** Records an attempt at a delivery with a row. */
export async function recordAttempt(
  recorder: AttemptRecorder,
  owner: string,
  { isPutBack, attempt, result }: EndedAttempt,
): Promise<AttemptVerdict> {
  const { scopeId, subscriptionId, id } = attempt
  return recorder.record(scopeId, 1, async (work) => {
    if (!isPutBack) return settleAttempt(work, owner, { attempt, result })
    await releaseDelivery(work.tx, scopeId, subscriptionId, id, owner)
    return 'put_back'
  })
}
