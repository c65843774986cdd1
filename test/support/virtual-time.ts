/** Time that advances from alarm to alarm as soon as nothing else is left to do. */
export type VirtualTime = {
  now(): number
  /** Resolves after this many milliseconds; rejects with the signal's reason if it aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

export function virtualTime(): VirtualTime {
  const alarms = new Set<{ at: number; ring: () => void }>()
  let now = 0
  const goOn = (): void => {
    const [next] = [...alarms].sort((a, b) => a.at - b.at)
    if (!next) return
    alarms.delete(next)
    now = Math.max(now, next.at)
    next.ring()
  }
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const alarm = { at: now + ms, ring: resolve }
        alarms.add(alarm)
        signal?.addEventListener('abort', () => {
          alarms.delete(alarm)
          reject(signal.reason)
        })
        setImmediate(goOn)
      }),
  }
}
