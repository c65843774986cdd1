import { isPublicAddress, isSameAddress } from '../../domain/webhooks/ip-address.ts'

/** Whether an address may be dialled. */
export type AddressRule = (address: string) => boolean

/** Public by the registries, and none of this machine's own (4.7). `own`: the machine's addresses now. */
export function publicAddressesOnly(own: () => readonly string[] = ownAddresses): AddressRule {
  return (address) => isPublicAddress(address) && !own().some((mine) => isSameAddress(mine, address))
}

function ownAddresses(): string[] {
  const interfaces = process.getBuiltinModule('node:os').networkInterfaces()
  return Object.values(interfaces).flatMap((found) => (found ?? []).map(({ address }) => address))
}
