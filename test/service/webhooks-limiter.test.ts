import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createConcurrencyLimiter,
  type DeliveryLimits,
  type Place,
  type Subscriber,
} from '../../src/service/webhooks/concurrency-limiter.ts'

const limits: DeliveryLimits = { overall: 12, reserve: 4, scope: 5, subscription: 3, slow: 6, known: 20 }

/** Five partners with four subscriptions each; the last partner's receivers fail. */
const subscribers: Subscriber[] = Array.from({ length: 20 }, (_, n) => {
  const scopeId = Math.floor(n / 4)
  return { scopeId, subscriptionId: String(n), isFailing: scopeId === 4 }
})

type Running = { one: Subscriber; place: Place; isSlow: boolean; isLate: boolean }
type Step = ['begin' | 'turn slow' | 'end' | 'put back', Subscriber]

/** Events of a subscription: as many attempts as may begin, a slow turn, or the end of its oldest attempt. */
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>('begin', 'turn slow', 'end', 'put back'),
    fc.constantFrom(...subscribers),
  ),
  { maxLength: 200 },
)

/** The same counts, from looking at everything that runs. */
function watched() {
  const limiter = createConcurrencyLimiter(limits)
  const running: Running[] = []
  const late = new Set<Subscriber>()
  const of = (one: Subscriber) => running.filter((other) => other.one === one)
  return {
    limiter,
    of,
    prompt: () => running.filter(({ isSlow }) => !isSlow),
    isSlow: (one: Subscriber) => one.isFailing || late.has(one) || of(one).some(({ isSlow }) => isSlow),
    slow: () => running.filter(({ isSlow }) => isSlow),
    begin(one: Subscriber, isSlow: boolean): void {
      running.push({ one, place: limiter.take(one), isSlow, isLate: false })
    },
    turnSlow(attempt: Running): void {
      attempt.place.turnSlow()
      attempt.isSlow = attempt.isLate = true
    },
    end(attempt: Running, hasEnded: boolean): void {
      running.splice(running.indexOf(attempt), 1)
      attempt.place.giveBack(hasEnded)
      if (hasEnded && attempt.isLate) late.add(attempt.one)
      else if (hasEnded) late.delete(attempt.one)
    },
  }
}

/** Takes every step, and checks the rule after each. */
function play(taken: Step[], check: (house: ReturnType<typeof watched>) => void): void {
  const house = watched()
  for (const [step, one] of taken) {
    const [oldest] = house.of(one)
    if (step === 'begin') {
      const isSlow = house.isSlow(one)
      const free = house.limiter.free(one)
      for (let n = 0; n < free; n++) house.begin(one, isSlow)
    } else if (oldest && step === 'turn slow' && !oldest.isLate) house.turnSlow(oldest)
    else if (oldest) house.end(oldest, step === 'end')
    check(house)
  }
}

test('limits hold, whatever begins, slows down, and ends', () => {
  const property = fc.property(steps, (taken) => {
    play(taken, ({ limiter, of, prompt, isSlow }) => {
      expect(prompt().length).toBeLessThanOrEqual(limits.overall)
      for (const one of subscribers) {
        expect(of(one).length).toBeLessThanOrEqual(limits.subscription)
        if (isSlow(one)) expect(limiter.free(one)).toBeLessThanOrEqual(of(one).length === 0 ? 1 : 0)
      }
      for (const mine of Map.groupBy(prompt(), ({ one }) => one.scopeId).values()) {
        const subscriptions = new Set(mine.map(({ one }) => one))
        expect(mine.length).toBeLessThanOrEqual(limits.scope + subscriptions.size - 1)
      }
    })
  })
  fc.assert(property)
})

test('a subscription with nothing in progress gets a place unless all of its kind are taken', () => {
  const property = fc.property(steps, (taken) => {
    play(taken, ({ limiter, of, prompt, slow, isSlow }) => {
      for (const one of subscribers.filter((subscriber) => of(subscriber).length === 0)) {
        const hasRoom = isSlow(one) ? slow().length < limits.slow : prompt().length < limits.overall
        expect(limiter.free(one) > 0, `${one.subscriptionId} has a place`).toBe(hasRoom)
      }
    })
  })
  fc.assert(property)
})

test('the longest waiting subscription gets the next place', () => {
  const property = fc.property(steps, (taken) => {
    const turns = new Map<Subscriber, number>()
    const { limiter, of, begin, end, isSlow } = watched()
    for (const [n, [step, one]] of taken.entries()) {
      const [oldest] = of(one)
      if (step !== 'begin') {
        if (oldest) end(oldest, true)
      } else if (limiter.free(one) > 0) {
        begin(one, isSlow(one))
        turns.set(one, n + 1)
      }
      const ranks = limiter.inTurn(subscribers).map((other) => [of(other).length, turns.get(other) ?? 0])
      expect(ranks).toEqual(ranks.toSorted(([a = 0, x = 0], [b = 0, y = 0]) => a - b || x - y))
    }
  })
  fc.assert(property, { numRuns: 30 })
})

test('a slow one keeps a single place until it ends in time, and a returned delivery does not count', () => {
  const limiter = createConcurrencyLimiter(limits)
  const one = subscribers[0]!
  const free = [limiter.free(one)]
  const late = limiter.take(one)
  late.turnSlow()
  late.giveBack(true)
  free.push(limiter.free(one))
  limiter.take(one).giveBack()
  free.push(limiter.free(one))
  limiter.take(one).giveBack(true)
  free.push(limiter.free(one))
  expect(free).toEqual([3, 1, 1, 3])
})

test('the limiter remembers only so many subscriptions without an attempt, so deleted ones leave nothing', () => {
  const limiter = createConcurrencyLimiter({ ...limits, known: 2 })
  const [first, running, ...others] = subscribers.slice(0, 5) as [Subscriber, ...Subscriber[]]
  const late = (one: Subscriber): Place => {
    const place = limiter.take(one)
    place.turnSlow()
    return place
  }
  late(first).giveBack(true)
  late(running!)
  expect([first, running!].map(limiter.isSlow)).toEqual([true, true])
  for (const one of others) limiter.take(one).giveBack(true)
  expect([first, running!].map(limiter.isSlow)).toEqual([false, true])
  const order = limiter.inTurn(subscribers.slice(0, 5)).map(({ subscriptionId }) => subscriptionId)
  expect(order).toEqual(['0', '2', '3', '4', '1'])
})
