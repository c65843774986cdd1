import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { profileNamed, readConfig } from '../../connection/config-file.ts'
import { configPath } from '../../connection/target-settings.ts'
import { profileRecord, profileRow } from '../../profiles/profile-row.ts'

export const command: CommandFile<[string | undefined]> = {
  summary: 'Show a profile, without its key',
  examples: ['profiles show', 'profiles show northgate'],
  define: (show) => show.argument('[profile]', 'Profile name (default: the current one)'),
  isOffline: true,
  view: () => profileRecord,
  run,
}

async function run(session: Session, given: string | undefined): Promise<void> {
  const config = readConfig(configPath(session.io.env))
  const name = given ?? config.current
  if (name === undefined) {
    throw usage('No profile is current; name one.', 'See: custody profiles ls')
  }
  const row = profileRow(name, profileNamed(config, name), config.current)
  await (await session.printer()).one(row)
}
