import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTurns } from '../../src/store/turns.ts'

/** The milliseconds that each scope's items cost, and the scope that adds one before each is taken. */
const load = fc.record({
  costs: fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 6, maxLength: 6 }),
  adding: fc.array(fc.array(fc.nat({ max: 5 }), { maxLength: 6 }), { minLength: 1, maxLength: 60 }),
})

describe('turns', () => {
  test("take everything added once, in its scope's order, and never nothing while something waits", () => {
    fc.assert(
      fc.property(load, ({ costs, adding }) => {
        const turns = createTurns<number>()
        const added = costs.map(() => 0)
        const taken: number[][] = costs.map(() => [])
        const takeOne = (): void => {
          const next = turns.take()!
          taken[next.scope]!.push(next.item)
          turns.charge(next.scope, costs[next.scope]!)
        }
        for (const scopes of adding) {
          for (const scope of scopes) turns.add(scope, added[scope]!++)
          if (turns.waiting > 0) takeOne()
        }
        while (turns.waiting > 0) takeOne()
        expect(turns.take()).toBeUndefined()
        expect(taken).toEqual(added.map((count) => Array.from({ length: count }, (_, at) => at)))
      }),
    )
  })

  test('let a returning scope wait for at most one item of each other scope', () => {
    fc.assert(
      fc.property(load, ({ costs, adding }) => {
        const turns = createTurns<string>()
        const light = 99
        for (const scopes of adding) {
          for (const scope of scopes) turns.add(scope, 'heavy')
          const next = turns.take()
          if (next) turns.charge(next.scope, costs[next.scope]!)
        }
        turns.add(light, 'light')
        const before: number[] = []
        for (let next = turns.take(); next?.item !== 'light'; next = turns.take()) {
          before.push(next!.scope)
          turns.charge(next!.scope, costs[next!.scope]!)
        }
        expect(new Set(before).size).toBe(before.length)
      }),
    )
  })

  test('give neither of two always waiting scopes more time, whatever an item costs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }), (a, b) => {
        const turns = createTurns<string>()
        const costs = [a, b]
        const spent = [0, 0]
        for (const scope of [0, 1]) turns.add(scope, 'item')
        for (let round = 0; round < 300; round++) {
          const { scope } = turns.take()!
          turns.add(scope, 'item')
          turns.charge(scope, costs[scope]!)
          spent[scope]! += costs[scope]!
          expect(Math.abs(spent[0]! - spent[1]!)).toBeLessThanOrEqual(Math.max(a, b) + 300 * 0.05)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('put a scope that took a minute behind others for five seconds of theirs, not for a minute', () => {
    const turns = createTurns<string>()
    turns.pass(1)
    turns.charge(1, 60_000)
    turns.add(1, 'again')
    let others = 0
    for (;;) {
      turns.add(2, 'other')
      const { scope } = turns.take()!
      if (scope === 1) break
      turns.charge(2, 100)
      others += 1
    }
    expect(others).toBeGreaterThanOrEqual(49)
    expect(others).toBeLessThanOrEqual(51)
  })

  test("hold idle time's spending against nobody for longer than its last item", () => {
    const turns = createTurns<string>()
    for (let at = 0; at < 100; at++) {
      turns.pass(1)
      turns.charge(1, 10)
    }
    turns.add(1, 'one')
    const order: number[] = []
    for (let at = 0; at < 4; at++) {
      turns.add(2, 'two')
      const { scope } = turns.take()!
      order.push(scope)
      turns.charge(scope, 10)
    }
    expect(order.slice(0, 3)).toContain(1)
  })

  test('skip what does not fit, which keeps its place, and put a returned item first in its scope', () => {
    const turns = createTurns<string>()
    turns.add(1, 'long')
    turns.add(1, 'brief')
    turns.add(2, 'brief of 2')
    expect(turns.take((item) => item !== 'long')).toEqual({ scope: 2, item: 'brief of 2' })
    const first = turns.take()!
    expect(first).toEqual({ scope: 1, item: 'long' })
    turns.putBack(1, 'long')
    expect(turns.take()?.item).toBe('long')
    expect(turns.take()?.item).toBe('brief')
    expect(turns.waiting).toBe(0)
  })
})
