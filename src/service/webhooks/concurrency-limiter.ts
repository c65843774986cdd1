/** How many attempts run at once in this process. An attempt is prompt until it has run for `slowMs`, and slow from then on. */
export type DeliveryLimits = {
  /** Prompt ones in all. */
  overall: number
  /** How many of those are only for subscriptions that have nothing under way. */
  reserve: number
  /** Prompt ones of one partner, the first ones of its subscriptions aside. */
  scope: number
  /** Of one subscription. */
  subscription: number
  /** Slow ones in all, from which no further one begins at a slow or failing receiver. */
  slow: number
  /** Subscriptions of which it is known how they were. */
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

/** An attempt that runs for longer than so many milliseconds makes its receiver a slow one. */
export const slowMs = 2000

/** Whose attempts are counted. `isFailing`: its receiver has not answered well since it last failed. */
export type Subscriber = { scopeId: number; subscriptionId: string; isFailing: boolean }

/** The place of an attempt under way. */
export type Place = {
  /** It has run for `slowMs`, and takes no prompt one's place any more. */
  turnSlow(): void
  /** `hasEnded`: whether it was in time says how the receiver is. */
  giveBack(hasEnded?: boolean): void
}

/**
 * The rule by which no receiver delays another: prompt ones have several places each; one that fails, or took too long
 * the last time, has a single one, among the slow. So nobody holds up a prompt one for longer than `slowMs`, and neither
 * what others of its partner have under way nor the further places of anybody keep a subscription from its first.
 */
export type ConcurrencyLimiter = {
  /** Whether it gets one at a time: it fails, or took too long. */
  isSlow(one: Subscriber): boolean
  /** How many attempts may begin there now. */
  free(one: Subscriber): number
  /** In the order of their turns: the least under way first, among those whoever has waited longest. */
  inTurn<T extends Subscriber>(due: readonly T[]): T[]
  /** Whether it has nothing under way, and no place: it waits for others. */
  waits(one: Subscriber): boolean
  take(one: Subscriber): Place
}

/** Of one subscription: its attempts under way, those of them that count as slow, how the last one ended, its latest turn. */
type Known = { running: number; slow: number; wasSlow: boolean; turn: number }

/** What is known of one that has had no turn, or had it so long ago that it is forgotten: it has waited longest. */
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

/** What is known of subscriptions. */
function createMemory(knownMax: number) {
  /** In the order of their latest turns. */
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
    /** Many are gone for good. The order of turns stays: who waits longest is forgotten first. */
    forgetIdle(): void {
      for (const [id, { running }] of subscriptions) {
        if (subscriptions.size <= knownMax) return
        if (running === 0) subscriptions.delete(id)
      }
    },
  }
}
