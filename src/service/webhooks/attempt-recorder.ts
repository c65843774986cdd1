import type { Workplace } from '../../engine/context.ts'
import { inWork } from '../../engine/in-work.ts'
import { type SettledAttempt, settleAttempts, type Verdict } from '../../engine/webhooks/delivery-attempts.ts'

type Waiting = SettledAttempt & { resolve: (verdict: Verdict) => void; reject: (error: unknown) => void }

/** Records attempts that ended: those that end while one transaction is written go into the next one together. */
export type Settler = { settle(settled: SettledAttempt): Promise<Verdict> }

export function createSettler(options: Workplace & { owner: string }): Settler {
  const waiting = new Map<number, Waiting[]>()
  let writing = false

  async function write(): Promise<void> {
    if (writing) return
    writing = true
    for (const [scopeId, batch] of takeEach(waiting)) {
      await settleBatch(options, scopeId, batch)
    }
    writing = false
  }

  return {
    settle: (settled) =>
      new Promise((resolve, reject) => {
        const { scopeId } = settled.attempt
        const batch = waiting.get(scopeId) ?? []
        batch.push({ ...settled, resolve, reject })
        waiting.set(scopeId, batch)
        void write()
      }),
  }
}

/** Each entry, taken out; those that are put in meanwhile too. */
function* takeEach<K, V>(map: Map<K, V>): Generator<[K, V]> {
  for (;;) {
    const [next] = map
    if (!next) return
    map.delete(next[0])
    yield next
  }
}

async function settleBatch(
  { owner, ...place }: Parameters<typeof createSettler>[0],
  scopeId: number,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const verdicts = await inWork(place, scopeId, (work) => settleAttempts(work, owner, batch))
    for (const [i, one] of batch.entries()) one.resolve(verdicts[i] ?? 'lost')
  } catch (error) {
    for (const one of batch) one.reject(error)
  }
}
