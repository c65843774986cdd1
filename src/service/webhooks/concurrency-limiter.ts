/** Maximum concurrent attempts of this process. An attempt is prompt until it has run for `slowMs`, and slow from then on. */
export type DeliveryLimits = {
  overall: number
  /** How many of those are reserved for subscriptions with nothing in progress. */
  reserve: number
  /** Prompt attempts per partner, not counting the first of each subscription. */
  scope: number
  subscription: number
  /** Slow attempts in all: beyond it, none begins at a slow or failing receiver. */
  slow: number
  /** Subscriptions whose last result is remembered. */
  known: number
}

export const defaultLimits: DeliveryLimits = {
  overall: 128,
  reserve: 32,
  scope: 32,
  subscription: 8,
  slow: 256,
  known: 10_000,
}

export const slowMs = 2000

/** `isFailing`: its receiver has not succeeded since it last failed. */
export type Subscriber = { scopeId: number; subscriptionId: string; isFailing: boolean }

export type Place = {
  /** Call it when the attempt has run for `slowMs`: it counts as slow, and frees its place among the prompt ones. */
  turnSlow(): void
  /** `hasEnded`: the attempt's duration then says whether the receiver is slow. */
  giveBack(hasEnded?: boolean): void
}

/**
 * No receiver delays another. A prompt receiver gets several places; one that fails or was slow last time gets a single slow
 * place. A prompt receiver waits at most `slowMs` for a place. A subscription's first attempt waits neither for its partner's
 * other attempts nor for further attempts of any subscription.
 */
export type ConcurrencyLimiter = {
  isSlow(one: Subscriber): boolean
  /** How many attempts may begin now. */
  free(one: Subscriber): number
  /** Fewest in progress first, then longest wait first. */
  inTurn<T extends Subscriber>(due: readonly T[]): T[]
  /** Whether it has nothing in progress and no free place. */
  waits(one: Subscriber): boolean
  take(one: Subscriber): Place
}

type Known = { running: number; slow: number; wasSlow: boolean; turn: number }

/** A subscription without a turn, or with one so long ago that it was forgotten, has waited longest. */
const unknown: Readonly<Known> = { running: 0, slow: 0, wasSlow: false, turn: 0 }

export function createConcurrencyLimiter(limits: DeliveryLimits): ConcurrencyLimiter {
  const { known, takeTurn, forgetIdle } = createMemory(limits.known)
  const promptOf = new Map<number, number>()
  const all = { prompt: 0, slow: 0 }
  const isSlow = (one: Subscriber): boolean => one.isFailing || known(one).wasSlow || known(one).slow > 0
  const free = (one: Subscriber): number => {
    const { running } = known(one)
    if (isSlow(one)) return running === 0 && all.slow < limits.slow ? 1 : 0
    const first = running === 0 && all.prompt < limits.overall ? 1 : 0
    const further = Math.min(
      limits.overall - limits.reserve - all.prompt,
      limits.scope - (promptOf.get(one.scopeId) ?? 0),
      limits.subscription - running,
    )
    return Math.max(first, further)
  }
  return {
    isSlow,
    free,
    waits: (one) => known(one).running === 0 && free(one) === 0,
    inTurn: (due) =>
      due
        .map((one) => ({ one, its: known(one) }))
        .sort((a, b) => a.its.running - b.its.running || a.its.turn - b.its.turn)
        .map(({ one }) => one),
    take(one) {
      let slow = isSlow(one)
      let isLate = false
      const mine = takeTurn(one)
      const count = (by: number): void => {
        mine.running += by
        all[slow ? 'slow' : 'prompt'] += by
        if (slow) mine.slow += by
        else promptOf.set(one.scopeId, (promptOf.get(one.scopeId) ?? 0) + by)
      }
      count(1)
      forgetIdle()
      return {
        turnSlow() {
          count(-1)
          slow = isLate = true
          count(1)
        },
        giveBack(hasEnded = false) {
          count(-1)
          if (hasEnded) mine.wasSlow = isLate
        },
      }
    },
  }
}

function createMemory(knownMax: number) {
  const subscriptions = new Map<string, Known>()
  let turns = 0
  return {
    known: (one: Subscriber): Readonly<Known> => subscriptions.get(one.subscriptionId) ?? unknown,
    takeTurn({ subscriptionId: id }: Subscriber): Known {
      const mine = subscriptions.get(id) ?? { ...unknown }
      mine.turn = turns += 1
      subscriptions.delete(id)
      subscriptions.set(id, mine)
      return mine
    },
    /** Drops those that have waited longest, since many are deleted by now. */
    forgetIdle(): void {
      for (const [id, { running }] of subscriptions) {
        if (subscriptions.size <= knownMax) return
        if (running === 0) subscriptions.delete(id)
      }
    },
  }
}
