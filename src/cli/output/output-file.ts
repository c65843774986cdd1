import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'

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
    writeFileSync(resolve(io.cwd, file), text)
  } catch (error) {
    throw usage(`${file} cannot be written: ${(error as Error).message}.`)
  }
}
