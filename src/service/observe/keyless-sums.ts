import { runtime, type Timers } from '../../runtime/runtime.ts'
import type { LogEntry } from '../context.ts'
import type { ServiceLog } from './log.ts'

const windowMs = 1_000
const addressesMax = 1_000
const others = 'others'

type KeylessSums = {
  request(entry: LogEntry): void
  flush(): void
}

/** Sums requests without a valid key per second and address: a line for each would be six times as long as the request. */
export function createKeylessSums(
  log: Pick<ServiceLog, 'request' | 'info'>,
  timers: Timers = runtime,
): KeylessSums {
  const counts = new Map<string, number>()
  const logSum = (address: string): boolean => {
    const count = counts.get(address) ?? 0
    if (count > 0) log.info('requests without a valid key', { address, count })
    counts.set(address, 0)
    return count > 0
  }
  const watch = (address: string): void => {
    timers.after(
      windowMs,
      () => {
        if (logSum(address)) watch(address)
        else counts.delete(address)
      },
      true,
    )
  }
  return {
    request(entry) {
      if (entry.address === undefined || entry.status >= 500) return log.request(entry)
      const isKnown = counts.has(entry.address) || counts.size < addressesMax
      const address = isKnown ? entry.address : others
      const count = counts.get(address)
      counts.set(address, count === undefined ? 0 : count + 1)
      if (count !== undefined) return
      log.request(entry)
      watch(address)
    },
    flush() {
      for (const address of counts.keys()) logSum(address)
    },
  }
}
