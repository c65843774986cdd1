import { invalid } from '../../domain/refusal.ts'
import {
  isReservedName,
  notPublic,
  webhookTarget,
  webhookUrlFault,
} from '../../domain/webhooks/webhook-address.ts'
import { runtime, type Timers } from '../../runtime/runtime.ts'
import { inTime } from '../../runtime/waiting.ts'
import { type AddressRule, publicAddressesOnly } from './address-rule.ts'
import { createHostResolver, type HostResolver } from './host-resolver.ts'

/** How a host name is checked when a URL is set; tests give their own. */
export type UrlCheck = { resolve: HostResolver; rule: AddressRule; timers: Timers }

const defaults: UrlCheck = { resolve: createHostResolver(), rule: publicAddressesOnly(), timers: runtime }
const patienceMs = 3000

/**
 * The address rule when a URL is set (4.7; part 7, rule 3): refused where the text says so, or where its name leads to a
 * refused address right now. A name that does not resolve, or not in time, is accepted (decisions 11): every connection
 * is checked again.
 */
export async function checkSubscriptionUrl(
  context: { urlCheck?: Partial<UrlCheck> },
  input: { body?: unknown },
): Promise<void> {
  const { url } = input.body as { url?: string }
  if (url === undefined) return
  const fault = webhookUrlFault(url) ?? (await addressFault(url, { ...defaults, ...context.urlCheck }))
  if (fault !== null) throw invalid({ url: [fault] })
}

async function addressFault(url: string, check: UrlCheck): Promise<string | null> {
  const { hostname, address } = webhookTarget(url)
  if (address !== null) return check.rule(address) ? null : notPublic
  if (isReservedName(hostname)) return null
  const addresses = await resolveInTime(hostname, check)
  return addresses.every(check.rule) ? null : notPublic
}

async function resolveInTime(hostname: string, { resolve, timers }: UrlCheck): Promise<readonly string[]> {
  const abort = new AbortController()
  return inTime(resolve(hostname, abort.signal), patienceMs, timers).catch(() => {
    abort.abort()
    return []
  })
}
