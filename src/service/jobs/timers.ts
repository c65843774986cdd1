/** Alarms, injected: tests ring them themselves. */
export type Timers = {
  /** Calls `ring` once after `ms`; the answer calls it off. */
  after(ms: number, ring: () => void): () => void
}

export const realTimers: Timers = {
  after(ms, ring) {
    const timer = setTimeout(ring, ms)
    return () => clearTimeout(timer)
  },
}
