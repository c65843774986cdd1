import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
/** Far more than all tests together use at once. */
const bytesNeeded = 2 * 1024 ** 3

/**
 * Where tests create their databases: in memory if this machine has space for them, so that no commit waits for a disk. If
 * TMPDIR is set, they are created there, like everything else.
 */
export const scratch = process.env.TMPDIR === undefined && hasRoom() ? memory : tmpdir()

/** Containers often give it too little space, or allow no program to run there. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    const mounts = readFileSync('/proc/mounts', 'utf8')
    const [, options = ''] = new RegExp(`^tmpfs ${memory} tmpfs (\\S+)`, 'm').exec(mounts) ?? []
    return bavail * bsize >= bytesNeeded && /^rw\b/.test(options) && !/\bnoexec\b/.test(options)
  } catch {
    return false
  }
}
