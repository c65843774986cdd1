import { mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { usage } from '../base/cli-error.ts'
import type { Config } from './profiles.ts'

/**
 * Writes the configuration file whole or not at all, for its owner alone. The library that does it is loaded here only:
 * reading happens at every start. Throws `usage` where it cannot be written.
 */
export async function saveConfig(path: string, config: Config): Promise<void> {
  const { default: Conf } = await import('conf')
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = new Conf({
      cwd: dirname(path),
      configName: basename(path, '.json'),
      configFileMode: 0o600,
      // Names may hold dots.
      accessPropertiesByDotNotation: false,
    })
    file.store = config
  } catch (error) {
    throw usage(`${path} cannot be written: ${(error as Error).message}.`)
  }
}
