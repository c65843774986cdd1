import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Conf from 'conf'
import { lockFile } from '../../store/sqlite/file-lock.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { behindLinks, makeFolder, ownerOnly, syncFolder } from '../base/durable-file.ts'
import { faultText } from '../base/system-fault.ts'
import { type Config, readConfig } from './config-file.ts'

const waitMs = 10_000

/** Atomic, one process at a time, also through links. Returns the new content. Throws `usage` or `unreachable`. */
export function changeConfig(path: string, change: (config: Config) => Config): Config {
  const target = inWords(path, () => behindLinks(path))
  const unlock = inWords(path, () => {
    makeFolder(dirname(target))
    return lockFile(`${target}.lock`, waitMs)
  })
  if (unlock === undefined) throw usage(`Another process is changing ${path}.`, 'Try again in a moment.')
  try {
    const config = change(readConfig(path))
    inWords(path, () => store(target, config))
    return config
  } finally {
    unlock()
  }
}

/** conf syncs the file and renames it, but the new name may be lost until the folder is synced. */
function store(path: string, config: Config): void {
  // Only the holder of the lock writes, so dead processes left these files. They may contain keys.
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(`${basename(path)}.tmp-`)) rmSync(join(dirname(path), name))
  // Within a snap, such as an editor's terminal, conf would write the file in place: a kill would leave half of it.
  delete process.env.SNAP
  const settings = new Conf<Record<string, unknown>>({
    projectName: 'custody',
    cwd: dirname(path),
    configName: basename(path),
    fileExtension: '',
    configFileMode: ownerOnly,
    serialize: (value) => `${JSON.stringify(value, null, '\t')}\n`,
  })
  settings.store = config
  syncFolder(dirname(path))
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
