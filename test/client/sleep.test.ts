import { expect, test, vi } from 'vitest'
import { sleep, withTimeLimit } from '../../src/runtime/runtime.ts'

test.each([25, 26, 30, 36_500])('a wait of %i days is not over at once', async (days) => {
  const stop = new AbortController()
  const long = sleep(days * 86_400_000, stop.signal)
  // Longer than Node.js timers can hold; they would fire after a millisecond.
  expect(await Promise.race([long.then(() => 'long'), sleep(5).then(() => 'short')])).toBe('short')
  stop.abort()
  await expect(long).rejects.toThrow(/abort/)
})

test('a wait whose time is over gives no warning', async () => {
  const warnings = vi.spyOn(process, 'emitWarning').mockReturnValue()
  await sleep(-5)
  expect(warnings).not.toHaveBeenCalled()
  warnings.mockRestore()
})

test('a limited wait leaves no timer behind, whether it succeeds or fails', async () => {
  vi.useFakeTimers()
  try {
    const begun: number[] = []
    const limited = (task: () => Promise<string>) =>
      withTimeLimit(1000, () => {
        begun.push(vi.getTimerCount())
        return task()
      })
    expect(await limited(async () => 'done')).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
    await expect(limited(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect([begun, vi.getTimerCount()]).toEqual([[1, 1], 0])
  } finally {
    vi.useRealTimers()
  }
})

test('a limited wait reports a timeout or a stop', async () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  await expect(withTimeLimit(1, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' })
  const stop = new AbortController()
  const stopped = withTimeLimit(86_400_000, untilAborted, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
})
