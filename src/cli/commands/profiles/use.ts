import type { CommandFile, Session } from '../../command.ts'
import { profileNamed } from '../../connection/config-file.ts'
import { changeConfig } from '../../connection/save-config.ts'
import { configPath } from '../../connection/target-settings.ts'

export const command: CommandFile<[string]> = {
  summary: 'Make a profile the current one',
  details: '--profile or CUSTODY_PROFILE chooses another one for a single run.',
  examples: ['profiles use northgate'],
  define: (use) => use.argument('<profile>', 'Profile name'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run({ io, notice }: Session, name: string): Promise<void> {
  const path = configPath(io.env)
  changeConfig(path, (config) => {
    profileNamed(config, name)
    return { ...config, current: name }
  })
  notice(`${name} is now the current profile.`)
  if (io.env.CUSTODY_PROFILE) notice(`CUSTODY_PROFILE=${io.env.CUSTODY_PROFILE} overrides it in this shell.`)
}
