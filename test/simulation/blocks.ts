import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import type { Logged } from './final.ts'
import { apply, holds, type Model } from './model.ts'
import type { Done } from './run.ts'

/** The events of one transaction, and the deed that caused them. */
export type Block = { from: number; to: number; trace: string | null; events: WebhookEvent[] }

/** Gapless, ascending, and each transaction's events together. */
export function blocksOf(log: readonly Logged[], model: Model): Block[] {
  const blocks: Block[] = []
  let before: Logged | undefined
  for (const logged of log) {
    const { seq, event, trace } = logged
    if (seq !== (before?.seq ?? 0) + 1) model.faults.push(`the log goes from ${before?.seq} to ${seq}`)
    if (before && (event.id <= before.event.id || event.created_at < before.event.created_at))
      model.faults.push(`${seq}: ${event.id} is not after ${before.event.id}`)
    const last = blocks.at(-1)
    const isOfSame = last !== undefined && trace !== null && last.trace === trace
    if (isOfSame) last.events.push(event)
    else blocks.push({ from: seq, to: seq, trace, events: [event] })
    blocks.at(-1)!.to = seq
    before = logged
  }
  for (const { seq, event, text } of log) {
    model.log.texts.push(text)
    model.log.places.set(event.id, seq)
  }
  for (const { from, events, to } of blocks) {
    for (const [at, event] of events.entries()) apply(model, from + at, event)
    const touched = events.flatMap(({ data }) =>
      'qids' in data ? data.qids : 'qid' in data ? [data.qid] : [],
    )
    holds(model, to, new Set(touched))
  }
  return blocks
}

export const begunAt = (one: Done): number => one.issues[0]?.begun ?? 0
export const isGood = (status: number | undefined): boolean => status !== undefined && status < 300

/** When it is known to be done. An earlier attempt may have been lost, or rejected with an answer that is not stored: a 400. */
export const endedAt = (one: Done): number =>
  Math.min(...one.issues.filter(({ status }) => isGood(status)).map(({ ended }) => ended))
