/**
 * Where no webhook may go, by the IANA special-purpose address registries, and the one address by which a cloud answers
 * its guests although it is a public one. `2000::/3` is all that is global of IPv6: loopback, private, link-local,
 * mapped (`::ffff:0:0/96`) and translated (`64:ff9b::/96`) addresses lie outside of it.
 */
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

type Range = { bytes: Uint8Array; bits: number }

/** Whether a webhook may be sent to the address. What is no address, or one with a zone, is refused. */
export function isPublicAddress(text: string): boolean {
  const bytes = ipBytes(text)
  if (bytes === null) return false
  tables ??= { ipv4: deniedIPv4.map(range), ipv6: deniedIPv6.map(range), global: range(globalIPv6) }
  if (bytes.length === 4) return !tables.ipv4.some((denied) => contains(denied, bytes))
  return contains(tables.global, bytes) && !tables.ipv6.some((denied) => contains(denied, bytes))
}

/** Whether both texts are the same address, however they are written. */
export function isSameAddress(one: string, other: string): boolean {
  const a = ipBytes(one)
  const b = ipBytes(other)
  return a !== null && b !== null && a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** The 4 or 16 bytes of an address; null where the text is none. Octal, short and zoned forms are none. */
export function ipBytes(text: string): Uint8Array | null {
  if (text.includes(':')) return ipv6Bytes(text)
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1)
  if (!parts?.every((part) => Number(part) <= 255 && String(Number(part)) === part)) return null
  return Uint8Array.from(parts, Number)
}

let tables: { ipv4: Range[]; ipv6: Range[]; global: Range } | undefined

function range(cidr: string): Range {
  const [address = '', bits] = cidr.split('/')
  return { bytes: ipBytes(address) ?? new Uint8Array(), bits: Number(bits) }
}

function contains({ bytes, bits }: Range, address: Uint8Array): boolean {
  return address.every((byte, i) => {
    const free = 8 - Math.max(0, Math.min(8, bits - i * 8))
    return byte >> free === (bytes[i] ?? 0) >> free
  })
}

/** The URL standard's parser reads every form of IPv6 and writes one: groups in hexadecimal, the longest zeros as `::`. */
function ipv6Bytes(text: string): Uint8Array | null {
  const canonical = /^[\da-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : null
  if (!canonical) return null
  const [head = '', tail] = canonical.split('::')
  const before = groups(head)
  const after = groups(tail ?? '')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return Uint8Array.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]))
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
