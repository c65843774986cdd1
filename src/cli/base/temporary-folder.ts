import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'

/** A new folder among the system's temporary files. Throws `unreachable` if none can be made. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(
      'unreachable',
      `Cannot create a folder for temporary files in ${tmpdir()} (${code}).`,
      {
        hint: 'Name another folder with TMPDIR.',
      },
    )
  }
}

/** The exit code of a process that a signal ended, as shells report it. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
const signals = Object.keys(exitCodes) as Array<keyof typeof exitCodes>

/** From here on a signal deletes the folder and ends the process at once. The returned function deletes the folder too. */
export function removedAtEnd(folder: string): () => void {
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const end = (signal: NodeJS.Signals): never => {
    remove()
    process.exit(exitCodes[signal as keyof typeof exitCodes])
  }
  for (const signal of signals) process.once(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
    remove()
  }
}
