import { addresses } from '../computing.ts'

/** `address`: the host if the URL names one literally; a name is resolved when it is dialled. */
export type WebhookTarget = {
  hostname: string
  address: string | null
  port: number
  /** Host and port as in the Host header; identifies a receiver, however the URL is written. */
  authority: string
  /** Path and query. */
  path: string
}

/** Does not reveal which address a name resolves to. */
export const notPublic =
  'must lead to a public address: loopback, private, link-local, cloud-metadata and other special addresses are rejected'

const httpsPort = 443
const firstFreePort = 1024
/** Reserved for private networks, or in use there and therefore never delegated (RFC 6762, appendix G; RFC 8375). */
const localNames = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/
/** For documentation and tests: never resolved when they are set (decisions 11). */
const namesThatNeverResolve = /(^|\.)(example|test|invalid)$/

/** Checks the text alone (4.7, decisions 11). A name is also resolved, when it is set and again when it is dialled. */
export function webhookUrlFault(sent: string): string | null {
  if (!/^https:\/\//i.test(sent)) return 'must begin with https://'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it rejects control characters.
  if (/[\u0000-\u0020\u007f\\]/.test(sent))
    return 'must not contain spaces, control characters or backslashes'
  const [authority] = /[^/?#]*/.exec(sent.slice('https://'.length)) as RegExpExecArray
  if (authority.includes('@')) return 'must not contain a user name or a password'
  const url = authority === '' ? null : URL.parse(sent)
  if (url === null) return 'must be an absolute URL'
  const { hostname, address, port } = targetOf(url)
  if (port !== httpsPort && port < firstFreePort) return 'must use port 443 or one from 1024 to 65535'
  if (address !== null) return isPublicAddress(address) ? null : notPublic
  if (!hostname.includes('.') || localNames.test(hostname)) return notPublic
  if (hostname.split('.').includes('')) return 'must have a host name without empty parts'
  return null
}

export function webhookTarget(url: string): WebhookTarget {
  return targetOf(new URL(url))
}

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

/** False for anything that is not an address, or has a zone. */
export function isPublicAddress(text: string): boolean {
  if (!isAddress(text)) return false
  lists ??= { denied: listOf([...deniedIPv4, ...deniedIPv6]), global: listOf([globalIPv6]) }
  const family = familyOf(text)
  return (family === 'ipv4' || lists.global.check(text, family)) && !lists.denied.check(text, family)
}

export function isSameAddress(one: string, other: string): boolean {
  return isAddress(one) && isAddress(other) && canonical(one) === canonical(other)
}

/** Octal, short and zoned forms are not addresses. */
export function isAddress(text: string): boolean {
  return addresses().isIP(text) !== 0 && !text.includes('%')
}

type BlockList = InstanceType<ReturnType<typeof addresses>['BlockList']>
let lists: { denied: BlockList; global: BlockList } | undefined

function listOf(ranges: readonly string[]): BlockList {
  const list = new (addresses().BlockList)()
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string]
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function canonical(address: string): string {
  return new (addresses().SocketAddress)({ address, family: familyOf(address) }).address
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** Special-purpose ranges (IANA), and the address at which a cloud answers its machines. All of global IPv6 is in `2000::/3`. */
export const deniedIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
] as const
export const globalIPv6 = '2000::/3'
export const deniedIPv6 = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
] as const
