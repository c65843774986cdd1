import { isPublicAddress, isSameAddress } from '../../domain/webhooks/ip-address.ts'

/** Whether an address may be dialled. */
export type AddressRule = (address: string) => boolean

/** The rule in force: public by the registries, and none of this machine's own (4.7). */
export const publicAddressesOnly: AddressRule = (address) => isAllowed(address, ownAddresses())

/** The same with the machine's own addresses given. */
export function isAllowed(address: string, own: readonly string[]): boolean {
  return isPublicAddress(address) && !own.some((mine) => isSameAddress(mine, address))
}

function ownAddresses(): string[] {
  const interfaces = process.getBuiltinModule('node:os').networkInterfaces()
  return Object.values(interfaces).flatMap((found) => (found ?? []).map(({ address }) => address))
}
