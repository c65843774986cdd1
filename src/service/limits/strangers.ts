import { Refusal } from '../../domain/refusal.ts'
import type { Rate } from '../../domain/token-bucket.ts'
import { runtime } from '../../runtime/runtime.ts'
import { createMemoryLimiter } from './limiter-memory.ts'

/** Refusals for lack of a key that one address gets (decisions 13). */
const defaultRate: Rate = { rate_per_s: 10, burst: 50 }

/** Limits per address what is refused for lack of a key, so that nobody without one can occupy the service. */
export type Strangers = {
  /** Counts one refusal. Answers the one that ends the connection, if the address had too many. */
  refuse(address: string): Refusal | undefined
}

export function createStrangers(rate = defaultRate): Strangers {
  const limiter = createMemoryLimiter(rate)
  return {
    refuse(address) {
      const { allowed, retry_after_seconds: seconds } = limiter.take(network(address), runtime.uptime())
      if (allowed) return undefined
      const message = `Too many requests without a valid API key from this address; try again in ${seconds} s.`
      return new Refusal('rate_limited', message, { retry_after_seconds: seconds })
    },
  }
}

/** Who has one IPv6 address has its 64 bits of others. */
function network(address: string): string {
  return address.includes('.') ? address : address.split(':', 4).join(':')
}
