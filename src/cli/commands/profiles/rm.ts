import { confirm, confirmable } from '../../ask/confirm.ts'
import type { CommandFile, Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import { profileNamed } from '../../connection/profiles.ts'
import { changeConfig } from '../../connection/save-config.ts'
import { configPath } from '../../connection/target-settings.ts'

export const command: CommandFile<[string]> = {
  summary: 'Delete a profile and its key',
  details: 'The service or database itself is not changed.',
  examples: ['profiles rm northgate --yes'],
  define: (rm) => confirmable(rm).argument('<profile>', 'its name'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, name: string): Promise<void> {
  const path = configPath(session.io.env)
  profileNamed(readConfig(path), name)
  await confirm(session, `Remove the profile ${name} and its key?`)
  let isCurrent = false
  changeConfig(path, ({ current, profiles, ...kept }) => {
    profileNamed({ profiles }, name)
    const { [name]: _removed, ...others } = profiles
    isCurrent = current === name
    return { ...kept, ...(current !== undefined && !isCurrent && { current }), profiles: others }
  })
  session.notice(`Removed the profile ${name}.`)
  if (isCurrent) session.notice('No profile is in use now: commands go to the embedded sandbox.')
}
