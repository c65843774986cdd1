import { expect, test } from 'vitest'
import { sleep } from '../../src/runtime/waiting.ts'

test.each([25, 26, 30, 36_500])('a wait of %i days is not over at once', async (days) => {
  const stop = new AbortController()
  const long = sleep(days * 86_400_000, stop.signal)
  // Longer than the millisecond that Node.js makes of what its timers cannot hold.
  expect(await Promise.race([long.then(() => 'long'), sleep(5).then(() => 'short')])).toBe('short')
  stop.abort()
  await expect(long).rejects.toThrow(/abort/)
})
