import { resolve } from 'node:path'
import { usage } from '../base/cli-error.ts'
import { asUmask, replaceFile } from '../base/durable-file.ts'
import type { Io } from '../base/io.ts'
import { faultText } from '../base/system-fault.ts'

/** What a file option takes for stdout. */
export const stdoutName = '-'

/**
 * Writes a file that an option names, in place of one that is there; `-` is stdout. Throws `usage` where it cannot be
 * written.
 */
export function writeOutputFile(io: Io, file: string, text: string): void {
  if (file === stdoutName) {
    io.out.write(text, true)
    return
  }
  try {
    replaceFile(resolve(io.cwd, file), text, asUmask)
  } catch (error) {
    throw usage(`${file} cannot be written: ${faultText(error)}.`)
  }
}
