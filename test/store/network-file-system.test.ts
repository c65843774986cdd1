import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { networkFileSystem } from '../../src/store/sqlite/sqlite-file.ts'

test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [-11317950, 'CIFS'],
  [0xfe534d42, 'SMB2'],
])('a file system of another machine is recognised (%i)', (type, name) => {
  expect(networkFileSystem(type)).toBe(name)
})

test("ext4, xfs, tmpfs, and the tests' own file system are local", () => {
  for (const type of [0xef53, 0x58465342, 0x01021994, statfsSync(tmpdir()).type]) {
    expect(networkFileSystem(type)).toBeUndefined()
  }
})
