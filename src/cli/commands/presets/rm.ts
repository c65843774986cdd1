import { CliError } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import { changeConfig } from '../../connection/save-config.ts'
import { configPath } from '../../connection/target-settings.ts'

export const command: CommandFile<[string]> = {
  summary: 'Delete a saved map',
  examples: ['presets rm @northgate'],
  define: (rm) => rm.argument('<map>', 'Name of the map, as in @northgate'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run({ io, notice }: Session, given: string): Promise<void> {
  const name = given.replace(/^@/, '')
  const path = configPath(io.env)
  if (!Object.hasOwn(readConfig(path).maps ?? {}, name))
    throw new CliError('not_found', `No map "${name}" is kept.`, { hint: 'See: custody presets ls' })
  changeConfig(path, (config) => {
    const { [name]: _removed, ...maps } = config.maps ?? {}
    return { ...config, maps }
  })
  notice(`Removed the map @${name}.`)
}
