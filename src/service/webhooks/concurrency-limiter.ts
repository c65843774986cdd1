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
}

export const defaultLimits: DeliveryLimits = {
  overall: 128,
  reserve: 32,
  scope: 32,
  subscription: 8,
  slow: 256,
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
  /** Whether partners wait for one another. */
  isShort(): boolean
  take(one: Subscriber): Place
}

/** Of one subscription: its attempts under way, those of them that count as slow, how the last one ended, its latest turn. */
type Known = { running: number; slow: number; wasSlow: boolean; turn: number }

export function createConcurrencyLimiter(limits: DeliveryLimits): ConcurrencyLimiter {
  const subscriptions = new Map<string, Known>()
  const promptOf = new Map<number, number>()
  const all = { prompt: 0, slow: 0, turns: 0 }
  const known = ({ subscriptionId: id }: Subscriber): Known => {
    const found = subscriptions.get(id) ?? { running: 0, slow: 0, wasSlow: false, turn: 0 }
    subscriptions.set(id, found)
    return found
  }
  const isSlow = (one: Subscriber): boolean => one.isFailing || known(one).wasSlow || known(one).slow > 0
  const count = (one: Subscriber, slow: boolean, by: number): void => {
    known(one).running += by
    all[slow ? 'slow' : 'prompt'] += by
    if (slow) known(one).slow += by
    else promptOf.set(one.scopeId, (promptOf.get(one.scopeId) ?? 0) + by)
  }
  return {
    isSlow,
    free(one) {
      const { running } = known(one)
      if (isSlow(one)) return running === 0 && all.slow < limits.slow ? 1 : 0
      const first = running === 0 && all.prompt < limits.overall ? 1 : 0
      const further = Math.min(
        limits.overall - limits.reserve - all.prompt,
        limits.scope - (promptOf.get(one.scopeId) ?? 0),
        limits.subscription - running,
      )
      return Math.max(first, further)
    },
    inTurn: (due) =>
      due.toSorted((a, b) => known(a).running - known(b).running || known(a).turn - known(b).turn),
    isShort: () => all.prompt >= limits.overall - limits.reserve || all.slow >= limits.slow,
    take(one) {
      let slow = isSlow(one)
      let isLate = false
      count(one, slow, 1)
      all.turns += 1
      known(one).turn = all.turns
      return {
        turnSlow() {
          count(one, slow, -1)
          slow = isLate = true
          count(one, slow, 1)
        },
        giveBack(hasEnded = false) {
          count(one, slow, -1)
          if (hasEnded) known(one).wasSlow = isLate
        },
      }
    },
  }
}
