import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
/** Far more than all tests together hold at once. */
const bytesNeeded = 2 * 1024 ** 3

/**
 * Where tests make their databases: in memory where this machine has room for them, so that no commit waits for a disk.
 * A TMPDIR that is set is where they are made, as everything else.
 */
export const scratch = process.env.TMPDIR === undefined && hasRoom() ? memory : tmpdir()

/** Containers often give it too little, or let no program run there. */
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
