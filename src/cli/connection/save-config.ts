import { dirname } from 'node:path'
import { lockFile } from '../../store/sqlite/file-lock.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import { faultText } from '../base/system-fault.ts'
import { readConfig } from './config-file.ts'
import type { Config } from './profiles.ts'

/** How long to wait for other processes that change it. */
const waitMs = 10_000

/**
 * Changes the configuration file atomically, one process after the other, for its owner alone. Returns its new content. Throws
 * `usage` if it cannot be read, and `unreachable` if it cannot be written.
 */
export function changeConfig(path: string, change: (config: Config) => Config): Config {
  const unlock = inWords(path, () => {
    makeFolder(dirname(path))
    return lockFile(`${path}.lock`, waitMs)
  })
  if (unlock === undefined)
    throw usage(`${path} is being changed by another process.`, 'Try again in a moment.')
  try {
    const config = change(readConfig(path))
    inWords(path, () => replaceFile(path, `${JSON.stringify(config, null, '\t')}\n`, ownerOnly))
    return config
  } finally {
    unlock()
  }
}

function inWords<T>(path: string, task: () => T): T {
  try {
    return task()
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError('unreachable', `${path} cannot be written: ${faultText(error)}.`, {
      hint: 'Name another folder for it with XDG_CONFIG_HOME.',
    })
  }
}
