import type { CommandFile, Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import { configPath } from '../../connection/target-settings.ts'
import { profileList, profileRow } from '../../profiles/profile-row.ts'

export const command: CommandFile<[]> = {
  summary: 'List profiles',
  examples: ['profiles ls', 'profiles ls --json'],
  isOffline: true,
  view: () => profileList,
  run,
}

async function run(session: Session): Promise<void> {
  const { profiles, current } = readConfig(configPath(session.io.env))
  const rows = Object.entries(profiles).map(([name, profile]) => profileRow(name, profile, current))
  await (await session.printer()).all(rows)
  if (rows.length === 0) session.notice('no profiles yet; create one with: custody init')
}
