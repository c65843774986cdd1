import { join } from 'node:path'
import { root } from './operator.ts'

/** The faults that test/support/bad-machine.cjs causes. */
type BadMachine = {
  call?: string
  path?: string
  at?: number
  how?: 'SIGKILL' | 'SIGINT' | 'ENOSPC' | 'EROFS' | 'EIO'
  pid?: number
  statement?: number
  homeless?: true
  fullDisk?: true
}

/** The environment of a command on such a machine. */
export function onBadMachine(machine: BadMachine): Record<string, string> {
  return {
    NODE_OPTIONS: `--require=${join(root, 'test/support/bad-machine.cjs')}`,
    CUSTODY_TEST_MACHINE: JSON.stringify(machine),
  }
}
