import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'
import { faultText } from './system-fault.ts'

/** Throws `unreachable` if no folder can be created. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (error) {
    const message = `Cannot create a folder for temporary files in ${tmpdir()}: ${faultText(error)}.`
    throw new CliError('unreachable', message, { hint: 'Name another folder with TMPDIR.' })
  }
}

/** The codes that shells report for a process ended by a signal. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
const isHangUpIgnored = process.listenerCount('SIGHUP') > 0
const signals = (Object.keys(exitCodes) as Array<keyof typeof exitCodes>).filter(
  (signal) => signal !== 'SIGHUP' || !isHangUpIgnored,
)

/** Until the returned function deletes the folder, a signal deletes it and ends the process. */
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
