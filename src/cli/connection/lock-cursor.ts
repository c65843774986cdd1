import { lockFile } from '../../store/sqlite/file-lock.ts'
import { CliError } from '../base/cli-error.ts'
import { behindLinks } from '../base/durable-file.ts'
import { unwritable } from '../base/system-fault.ts'

export function lockCursor(file: string): () => void {
  let release: (() => void) | undefined
  try {
    release = lockFile(`${behindLinks(file)}.lock`)
  } catch (error) {
    throw unwritable(`The cursor file ${file}`, error)
  }
  if (release) return release
  throw new CliError('conflict', `Another run uses the cursor file ${file}; nothing was read.`, {
    hint: 'Wait until it ends, or give this run a cursor file of its own.',
  })
}
