import type { CommandFile, Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import { configPath } from '../../connection/target-settings.ts'
import { columnsOf, type View } from '../../output/columns.ts'
import { settingNamed, settingNames } from '../../profiles/settings.ts'

type Setting = { setting: string; value: unknown; about: string }

const view: View = {
  columns: columnsOf<Setting>(
    { name: 'setting', kind: 'id' },
    { name: 'value' },
    { name: 'about', kind: 'long' },
  ),
}

export const command: CommandFile<[]> = {
  summary: 'List the settings',
  details: 'Profiles have their own commands: custody profiles. The file is named on stderr.',
  examples: ['config list', 'config list --json'],
  isOffline: true,
  view: () => view,
  run,
}

async function run(session: Session): Promise<void> {
  const path = configPath(session.io.env)
  const config = readConfig(path)
  const rows = settingNames.map((setting): Setting => {
    const { get, about } = settingNamed(setting)
    return { setting, value: get(config) ?? null, about }
  })
  await (await session.printer()).all(rows)
  session.notice(path)
}
