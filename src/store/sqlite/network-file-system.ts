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

/** The name of a network file system that can be recognised; undefined for every other. */
export function networkFileSystem(type: number): string | undefined {
  // The kernel's number has 32 bits and may arrive signed.
  return networkFileSystems.get(type >>> 0)
}
