import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BucketAnswer, type BucketState, type Rate, take } from '../../src/domain/token-bucket.ts'

const sandbox: Rate = { rate_per_s: 25, burst: 50 }
const limits = fc.record({
  rate_per_s: fc.integer({ min: 1, max: 200 }),
  burst: fc.integer({ min: 1, max: 100 }),
})
// Gaps from zero to a pause that fills most buckets.
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(3000)), { minLength: 1, maxLength: 120 })

/** The answers to one request after each gap, with the time of each. */
function run(limit: Rate, waits: number[]): Array<BucketAnswer & { at: number }> {
  let state: BucketState | null = null
  let at = 1_700_000_000_000
  return waits.map((wait) => {
    at += wait
    const answer = take(state, at, limit)
    state = answer.state
    return { ...answer, at }
  })
}

function burstOf(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}

describe('the token bucket (decisions 3)', () => {
  test('allows the burst at once, then rejects until a token has been added', () => {
    const answers = run(sandbox, [...burstOf(51), 39, 1])
    expect(answers.slice(0, 50).every((answer) => answer.allowed)).toBe(true)
    expect(answers.slice(50).map((answer) => answer.allowed)).toEqual([false, false, true])
  })

  test('tells what remains, when the bucket is full, and when to retry, in whole seconds', () => {
    const answers = run({ rate_per_s: 1, burst: 3 }, [0, 0, 0, 0, 400, 600])
    const told = answers.map((answer) => [answer.remaining, answer.reset_seconds, answer.retry_after_seconds])
    expect(told).toEqual([
      [2, 1, 0],
      [1, 2, 0],
      [0, 3, 0],
      [0, 3, 1],
      [0, 3, 1],
      [0, 3, 0],
    ])
  })

  test('never holds more than the burst, however long it rests', () => {
    const answers = run(sandbox, [...burstOf(50), 86_400_000_000, ...burstOf(50)])
    expect(answers.map((answer) => answer.allowed)).toEqual([...burstOf(100).map(() => true), false])
  })

  test('adds nothing if the clock goes back, and loses nothing once the clock has caught up', () => {
    const emptied = run(sandbox, burstOf(50)).at(-1)!
    const back = take(emptied.state, emptied.at - 1_000, sandbox)
    expect(back).toMatchObject({ allowed: false, state: emptied.state })
    expect(take(back.state, emptied.at + 40, sandbox).allowed).toBe(true)
  })

  test('adds nothing if the clock is corrected by an hour, and fills on from there', () => {
    const emptied = run(sandbox, burstOf(50)).at(-1)!
    const back = take(emptied.state, emptied.at - 3_600_000, sandbox)
    expect(back.allowed).toBe(false)
    expect(take(back.state, emptied.at - 3_600_000 + 40, sandbox).allowed).toBe(true)
  })

  test('treats a clock that went back by less than a refill as unchanged, and by more as corrected', () => {
    const emptied = run(sandbox, burstOf(50)).at(-1)!
    const fillMs = 2_000
    expect(take(emptied.state, emptied.at - fillMs, sandbox).state.at_ms).toBe(emptied.at)
    expect(take(emptied.state, emptied.at - fillMs - 1, sandbox).state.at_ms).toBe(emptied.at - fillMs - 1)
  })

  test('allows at most burst + rate * t in any window of t seconds', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const allowed = run(limit, waits).filter((answer) => answer.allowed)
        for (const [first, from] of allowed.entries()) {
          for (const [last, until] of allowed.entries()) {
            if (last < first) continue
            const most = limit.burst * 1000 + limit.rate_per_s * (until.at - from.at)
            expect((last - first + 1) * 1000).toBeLessThanOrEqual(most)
          }
        }
      }),
    )
  })

  test('rejects only when the allowance since the last full bucket is used up', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        // The same bucket counted differently: by when each used token is back.
        let backAt = Number.NEGATIVE_INFINITY
        for (const answer of run(limit, waits)) {
          const now = answer.at * limit.rate_per_s
          const fits = Math.max(backAt, now) + 1000 - now <= limit.burst * 1000
          expect(answer.allowed).toBe(fits)
          if (fits) backAt = Math.max(backAt, now) + 1000
        }
      }),
    )
  })

  test('allows a retry after the given time, and is full at the reset', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const last = run(limit, waits).at(-1)!
        const retry = take(last.state, last.at + last.retry_after_seconds * 1000, limit)
        if (!last.allowed) expect(retry.allowed).toBe(true)
        const full = take(last.state, last.at + last.reset_seconds * 1000, limit)
        expect(full.remaining).toBe(limit.burst - 1)
      }),
    )
  })

  test('allows exactly what it says remains', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, waits) => {
        const last = run(limit, waits).at(-1)!
        let { state } = last
        for (let taken = 0; taken < last.remaining; taken++) {
          const next = take(state, last.at, limit)
          expect(next.allowed).toBe(true)
          state = next.state
        }
        expect(take(state, last.at, limit).allowed).toBe(false)
      }),
    )
  })
})
