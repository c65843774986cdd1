import { confirm, confirmable } from '../../ask/ask.ts'
import type { CommandFile, Session } from '../../command.ts'
import { profileNamed, readConfig, rejectUnknown } from '../../connection/config-file.ts'
import { changeConfig } from '../../connection/save-config.ts'
import { configPath } from '../../connection/target-settings.ts'
import { eachNamed, inAll, namesFrom } from '../../list/several.ts'

export const use: CommandFile<[string]> = {
  summary: 'Make a profile the current one',
  details: '--profile or CUSTODY_PROFILE chooses another one for a single run.',
  examples: ['profiles use northgate'],
  define: (use) => use.argument('<profile>', 'Profile name'),
  isOffline: true,
  isPlain: true,
  run: choose,
}

async function choose({ io, notice }: Session, name: string): Promise<void> {
  const path = configPath(io.env)
  changeConfig(path, (config) => {
    profileNamed(config, name)
    return { ...config, current: name }
  })
  notice(`${name} is now the current profile.`)
  if (io.env.CUSTODY_PROFILE) notice(`CUSTODY_PROFILE=${io.env.CUSTODY_PROFILE} overrides it in this shell.`)
}

export const rm: CommandFile<[string[]]> = {
  summary: 'Delete profiles and their keys',
  details: 'The service or database itself is not changed.',
  examples: ['profiles rm northgate --yes'],
  define: (rm) => confirmable(rm).argument('<profile...>', 'Profile names; - for lines of stdin'),
  isOffline: true,
  isPlain: true,
  async run(session, given) {
    const named = await namesFrom(session, given)
    const path = configPath(session.io.env)
    if (!named.isMany) rejectUnknown(readConfig(path), named.names[0] ?? '')
    await confirm(
      session,
      `Delete ${inAll(named, 'profile')} with ${named.isMany ? 'their keys' : 'its key'}?`,
    )
    return eachNamed(session, named, async (name) => remove(session, path, name))
  },
}

function remove(session: Session, path: string, name: string): void {
  let isCurrent = false
  changeConfig(path, ({ current, profiles, ...kept }) => {
    rejectUnknown({ profiles }, name)
    const { [name]: _removed, ...others } = profiles
    isCurrent = current === name
    return { ...kept, ...(current !== undefined && !isCurrent && { current }), profiles: others }
  })
  session.notice(`Deleted the profile ${name}.`)
  if (isCurrent) session.notice('No profile is current now: commands use the embedded sandbox.')
}
