import { Refusal } from '../../domain/refusal.ts'
import type { KeyLimits, WorkKind, WorkLimiter } from '../context.ts'

const mebibyte = 1024 * 1024

export const defaultKeyLimits: KeyLimits = {
  requests: 16,
  waits: 8,
  answerBytes: 64 * mebibyte,
  uploadBytes: 64 * mebibyte,
}

/** The same of all keys together. Where it is reached, those that have more than their share are refused. */
const defaultLimitsInAll: KeyLimits = {
  requests: 512,
  waits: 500,
  answerBytes: 256 * mebibyte,
  uploadBytes: 256 * mebibyte,
}

/** More is asked of the service in all than it takes on: 503, whoever asks. */
export class Overloaded extends Error {}

/** Bytes of an answer that counts: shorter ones are in the system's own buffers at once. */
export const longAnswer = 256 * 1024
const retryAfterSeconds = 1

/** `perKey` left out: only what is under way in all is bounded. */
export function createWorkLimiter(
  perKey: KeyLimits | undefined,
  inAll: KeyLimits = defaultLimitsInAll,
): WorkLimiter {
  const ledgers: Record<WorkKind, Ledger> = {
    requests: createLedger(),
    waits: createLedger(),
    answerBytes: createLedger(),
    uploadBytes: createLedger(),
  }
  const refuseMore = (key: string, kind: WorkKind, amount: number): void => {
    const { of, all, keys } = ledgers[kind]
    const own = of(key)
    // What is larger than the limit by itself is let through alone.
    const isBeyond = (limit: number): boolean => own > 0 && own + amount > limit
    if (perKey && isBeyond(perKey[kind])) throw beyondLimit(kind, perKey[kind])
    if (all() + amount > inAll[kind] && own + amount > inAll[kind] / Math.max(keys(), 1))
      throw new Overloaded()
  }
  return {
    take(key, kind, amount = 1) {
      refuseMore(key, kind, amount)
      return ledgers[kind].add(key, amount)
    },
    hold: (key, kind, amount) => ledgers[kind].add(key, amount),
    check: (key, kind) => refuseMore(key, kind, 1),
  }
}

type Ledger = ReturnType<typeof createLedger>

/** Amounts by key; none is kept of a key that has nothing under way. */
function createLedger() {
  const amounts = new Map<string, number>()
  let sum = 0
  const change = (key: string, by: number): void => {
    sum += by
    const amount = (amounts.get(key) ?? 0) + by
    if (amount > 0) amounts.set(key, amount)
    else amounts.delete(key)
  }
  return {
    of: (key: string): number => amounts.get(key) ?? 0,
    all: (): number => sum,
    keys: (): number => amounts.size,
    add(key: string, amount: number): () => void {
      change(key, amount)
      let left = amount
      return () => {
        change(key, -left)
        left = 0
      }
    },
  }
}

const names: Record<WorkKind, { name: string; words: string; unit: number }> = {
  requests: { name: 'requests_in_progress', words: 'requests in progress', unit: 1 },
  waits: { name: 'waiting_readers', words: 'readers waiting for events', unit: 1 },
  answerBytes: { name: 'answer_bytes', words: 'MiB of answers that were not taken yet', unit: mebibyte },
  uploadBytes: { name: 'upload_bytes', words: 'MiB of uploads in progress', unit: mebibyte },
}

function beyondLimit(kind: WorkKind, limit: number): Refusal {
  const { name, words, unit } = names[kind]
  return new Refusal(
    'rate_limited',
    `Too much at once with this API key: at most ${limit / unit} ${words}; try again in ${retryAfterSeconds} s.`,
    { limit: name, retry_after_seconds: retryAfterSeconds },
  )
}
