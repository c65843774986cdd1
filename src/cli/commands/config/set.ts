import type { CommandFile, Session } from '../../command.ts'
import { changeConfig } from '../../connection/save-config.ts'
import { configPath } from '../../connection/target-settings.ts'
import { settingNamed } from '../../profiles/settings.ts'

export const command: CommandFile<[string, string | undefined]> = {
  summary: 'Change a setting; without a value, remove it',
  examples: ['config set profile northgate', 'config set excel true', 'config set excel'],
  define: (set) =>
    set
      .argument('<setting>', 'Setting name (see: custody config list)')
      .argument('[value]', 'New value; without it, the setting is removed'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run({ io, notice }: Session, name: string, value: string | undefined): Promise<void> {
  const { set } = settingNamed(name)
  changeConfig(configPath(io.env), (config) => set(config, value))
  notice(value === undefined ? `${name} is no longer set.` : `${name} is ${value}.`)
}
