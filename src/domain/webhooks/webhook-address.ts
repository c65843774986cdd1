import { isAddress, isPublicAddress } from './ip-address.ts'

/** Where a webhook goes. `address` is the host where the URL names one literally; a name is resolved when it is dialled. */
export type WebhookTarget = {
  hostname: string
  address: string | null
  port: number
  /** Host and port as the Host header has them, and as one receiver is told from another: the same however it is written. */
  authority: string
  /** Path and query. */
  path: string
}

/** What a partner is told about a refused address: not which address it was. */
export const notPublic =
  'must lead to a public address: loopback, private, link-local, cloud-metadata and other special addresses are refused'

const httpsPort = 443
const firstFreePort = 1024
/** Reserved for private networks, or in use there and for that reason never delegated (RFC 6762, appendix G; RFC 8375). */
const localNames = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/
/** Names for documentation and tests: never looked up when they are set (decisions 11). */
const namesThatNeverResolve = /(^|\.)(example|test|invalid)$/

/**
 * What is wrong with a webhook URL by its text alone (4.7, decisions 11); null where nothing is. That a name may lead to a
 * refused address is found by resolving it, when it is set and again when it is dialled.
 */
export function webhookUrlFault(sent: string): string | null {
  if (!/^https:\/\//i.test(sent)) return 'must begin with https://'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
  if (/[\u0000-\u0020\u007f\\]/.test(sent)) return 'must not hold spaces, control characters or backslashes'
  const [authority] = /[^/?#]*/.exec(sent.slice('https://'.length)) as RegExpExecArray
  if (authority.includes('@')) return 'must not hold a user name or a password'
  const url = authority === '' ? null : URL.parse(sent)
  if (url === null) return 'must be an absolute URL'
  const { hostname, address, port } = targetOf(url)
  if (port !== httpsPort && port < firstFreePort) return 'must use port 443 or one from 1024 to 65535'
  if (address !== null) return isPublicAddress(address) ? null : notPublic
  if (!hostname.includes('.') || localNames.test(hostname)) return notPublic
  if (hostname.split('.').includes('')) return 'must have a host name without empty parts'
  return null
}

/** The parts of a URL that passed `webhookUrlFault`. */
export function webhookTarget(url: string): WebhookTarget {
  return targetOf(new URL(url))
}

/** Whether asking for the name is pointless: it is reserved for documentation and tests. */
export function isReservedName(hostname: string): boolean {
  return namesThatNeverResolve.test(hostname)
}

function targetOf(url: URL): WebhookTarget {
  // A final dot only marks the name as absolute: it is the same host, and no certificate includes the dot.
  const [host] = /(?:.*[^.])?/s.exec(url.hostname) as RegExpExecArray
  const hostname = host.replace(/[[\]]/g, '')
  return {
    hostname,
    address: isAddress(hostname) ? hostname : null,
    port: url.port === '' ? httpsPort : Number(url.port),
    authority: url.port === '' ? host : `${host}:${url.port}`,
    path: `${url.pathname}${url.search}`,
  }
}
