import { addresses } from '../computing.ts'

/** Whether a webhook may be sent to the address. What is no address, or one with a zone, is refused. */
export function isPublicAddress(text: string): boolean {
  if (!isAddress(text)) return false
  lists ??= { denied: listOf([...deniedIPv4, ...deniedIPv6]), global: listOf([globalIPv6]) }
  const family = familyOf(text)
  return (family === 'ipv4' || lists.global.check(text, family)) && !lists.denied.check(text, family)
}

/** Whether both texts are the same address, however they are written. */
export function isSameAddress(one: string, other: string): boolean {
  return isAddress(one) && isAddress(other) && canonical(one) === canonical(other)
}

/** Octal, short and zoned forms are none. */
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
