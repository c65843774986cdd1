/** Linux's network file systems, by the number that statfs returns. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
])

export function networkFileSystem(type: number): string | undefined {
  // The kernel's 32-bit number may arrive signed.
  return networkFileSystems.get(type >>> 0)
}
