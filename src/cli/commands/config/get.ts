import type { CommandFile, Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import { configPath } from '../../connection/target-settings.ts'
import { settingNamed } from '../../profiles/settings.ts'

export const command: CommandFile<[string]> = {
  summary: 'Print the value of a setting',
  details: 'Prints an empty line if it is not set.',
  examples: ['config get profile', 'config get excel'],
  define: (get) => get.argument('<setting>', 'Setting name (see: custody config list)'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run({ io }: Session, name: string): Promise<void> {
  const { get } = settingNamed(name)
  io.out.write(`${get(readConfig(configPath(io.env))) ?? ''}\n`)
}
