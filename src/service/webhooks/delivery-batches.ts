import { isSuccess } from '../../domain/webhooks/webhook-schedule.ts'
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

export const putBack = new Error('put back')

/** `isPutBack`: the process stopped before the attempt ended. */
export type EndedAttempt = SettledAttempt & { isPutBack: boolean; ms: number }
export type AttemptVerdict = Verdict | 'put_back'

export type Batch = Subscriber & {
  leased: LeasedBatch
  begun: number
  ended: EndedAttempt[]
  underWay: Set<Attempt>
  /** No further attempt begins: one has failed or is slow, or the process stops. */
  isOver: boolean
  /** Attempts still running have rows of their own. */
  isRecorded: boolean
  /** Uptime at the last check that its subscription is unchanged. */
  seenAt: number
}

export function newBatch(subscriber: Subscriber, leased: LeasedBatch, seenAt: number): Batch {
  const begun = { begun: 0, ended: [], underWay: new Set<Attempt>(), isOver: false, isRecorded: false }
  return { ...subscriber, leased, ...begun, seenAt }
}

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

/** A failure ends the batch: from then on the receiver gets one attempt at a time. */
export function recordEnded(batch: Batch, ended: EndedAttempt): void {
  batch.underWay.delete(ended.attempt)
  batch.ended.push(ended)
  if (!isSuccess(ended.result)) batch.isOver = true
}

export function isDone(batch: Batch): boolean {
  return batch.underWay.size === 0 && !hasRest(batch)
}

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

export async function recordAttempt(
  recorder: AttemptRecorder,
  owner: string,
  { isPutBack, attempt, result }: EndedAttempt,
): Promise<AttemptVerdict> {
  return recorder.record(attempt.scopeId, 1, async (work) => {
    if (!isPutBack) return settleAttempt(work, owner, { attempt, result })
    await releaseDelivery(work.tx, attempt, owner)
    return 'put_back'
  })
}
