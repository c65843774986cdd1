import { usage } from '../../cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { readConfig } from '../../config/config-file.ts'
import { profileRecord, profileRow } from '../../config/profile-row.ts'
import { profileNamed } from '../../config/profiles.ts'
import type { Session } from '../../session.ts'
import { configPath } from '../../target-settings.ts'

export const command: CommandFile<[string | undefined]> = {
  summary: 'show one profile, without its key',
  examples: ['profiles show', 'profiles show northgate'],
  define: (show) => show.argument('[profile]', 'its name (default: the one in use)'),
  isOffline: true,
  run,
}

async function run(session: Session, given: string | undefined): Promise<void> {
  const config = readConfig(configPath(session.io.env))
  const name = given ?? config.current
  if (name === undefined) {
    throw usage('No profile is in use; name one.', 'See: custody profiles ls')
  }
  const row = profileRow(name, profileNamed(config, name), config.current)
  await (await session.printer()).one(row, profileRecord)
}
