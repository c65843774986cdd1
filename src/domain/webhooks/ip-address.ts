import { addresses } from '../computing.ts'
import { deniedIPv4, deniedIPv6, globalIPv6 } from './denied-ranges.ts'

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
