import { mebibyte } from '../../contract/limits.ts'
import { Rejection } from '../../domain/rejection.ts'
import type { KeyLimits, WorkKind, WorkLimiter } from '../context.ts'

export const defaultKeyLimits: KeyLimits = {
  requests: 16,
  waits: 8,
  answerBytes: 64 * mebibyte,
  uploadBytes: 64 * mebibyte,
}

/** The limits for all keys together. When one is reached, keys with more than their share are rejected. */
const defaultLimitsInAll: KeyLimits = {
  requests: 512,
  waits: 500,
  answerBytes: 256 * mebibyte,
  uploadBytes: 256 * mebibyte,
}

/** The service as a whole has too much in progress: 503 for any key. */
export class Overloaded extends Error {}

/** Responses of at least this many bytes count: shorter ones fit into the system's own buffers. */
export const longAnswer = 256 * 1024
const retryAfterSeconds = 1

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
  const rejectMore = (key: string, kind: WorkKind, amount: number): void => {
    const { of, all, keys } = ledgers[kind]
    const own = of(key)
    // A single amount above the limit is accepted if nothing else is in progress.
    const isBeyond = (limit: number): boolean => own > 0 && own + amount > limit
    if (perKey && isBeyond(perKey[kind])) throw beyondLimit(kind, perKey[kind])
    if (all() + amount > inAll[kind] && own + amount > inAll[kind] / Math.max(keys(), 1))
      throw new Overloaded()
  }
  return {
    take(key, kind, amount = 1) {
      rejectMore(key, kind, amount)
      return ledgers[kind].add(key, amount)
    },
    hold: (key, kind, amount) => ledgers[kind].add(key, amount),
    check: (key, kind) => rejectMore(key, kind, 1),
  }
}

type Ledger = ReturnType<typeof createLedger>

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
  answerBytes: { name: 'answer_bytes', words: 'MiB of answers not yet received', unit: mebibyte },
  uploadBytes: { name: 'upload_bytes', words: 'MiB of uploads in progress', unit: mebibyte },
}

function beyondLimit(kind: WorkKind, limit: number): Rejection {
  const { name, words, unit } = names[kind]
  return new Rejection(
    'rate_limited',
    `Too much at once with this API key: at most ${limit / unit} ${words}; try again in ${retryAfterSeconds} s.`,
    { limit: name, retry_after_seconds: retryAfterSeconds },
  )
}
