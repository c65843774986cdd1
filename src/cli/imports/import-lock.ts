import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError } from '../base/cli-error.ts'

/**
 * Keeps a second run of the same import out while this one goes on: two would write into one journal and one errors
 * file. Answers what ends it. Throws `conflict`. The lock of a process that is no more counts for nothing.
 */
export function lockImport(journal: string, file: string): () => void {
  const lock = `${journal}.lock`
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  if (!take(lock)) {
    const owner = ownerOf(lock)
    if (owner !== undefined && isAlive(owner)) {
      throw new CliError('conflict', `${file} is being imported by another process already (${owner}).`, {
        hint: 'Wait for it to end.',
      })
    }
    rmSync(lock, { force: true })
    take(lock)
  }
  return () => rmSync(lock, { force: true })
}

function take(lock: string): boolean {
  try {
    const descriptor = openSync(lock, 'wx', 0o600)
    writeSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function ownerOf(lock: string): number | undefined {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
