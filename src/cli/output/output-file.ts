import { resolve } from 'node:path'
import { usage } from '../base/cli-error.ts'
import { asUmask, replaceFile } from '../base/durable-file.ts'
import type { Io } from '../base/io.ts'
import { faultText } from '../base/system-fault.ts'

/** The value of a file option that means stdout. */
export const stdoutName = '-'

/**
 * Writes a file that an option names, replacing an existing one; `-` is stdout. Throws `usage` if it cannot be written.
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
