import { CliError } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import { changeConfig } from '../../connection/save-config.ts'
import { configPath } from '../../connection/target-settings.ts'
import { eachNamed, namesFrom } from '../../list/several.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Delete saved maps',
  examples: ['presets rm @northgate'],
  define: (rm) => rm.argument('<map...>', 'Names, as in @northgate; - for lines of stdin'),
  isOffline: true,
  isPlain: true,
  async run(session, given) {
    return eachNamed(session, await namesFrom(session, given), async (name) => remove(session, name))
  },
}

function remove({ io, notice }: Session, given: string): void {
  const name = given.replace(/^@/, '')
  const path = configPath(io.env)
  if (!Object.hasOwn(readConfig(path).maps ?? {}, name))
    throw new CliError('not_found', `There is no map "${name}".`, { hint: 'See: custody presets ls' })
  changeConfig(path, (config) => {
    const { [name]: _removed, ...maps } = config.maps ?? {}
    return { ...config, maps }
  })
  notice(`Deleted the map @${name}.`)
}
