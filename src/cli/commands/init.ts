import { type Command, Option } from 'commander'
import { environments } from '../../contract/enums.ts'
import { shownPlace } from '../../domain/database-address.ts'
import { canAsk, confirm, confirmable } from '../ask/ask.ts'
import { CliError } from '../base/cli-error.ts'
import { rejectedKey } from '../base/rejected-secrets.ts'
import type { CommandFile, Session } from '../command.ts'
import { type Config, findProfile, isService, type Profile, readConfig } from '../connection/config-file.ts'
import { changeConfig } from '../connection/save-config.ts'
import { resolveTarget, type TargetSettings } from '../connection/target.ts'
import { configPath } from '../connection/target-settings.ts'
import { type Check, checkLines, endingOf } from '../doctor/check.ts'
import { checkTarget } from '../doctor/check-target.ts'
import { corrected, type Draft, type DraftOptions, draftProfile } from '../profiles/draft-profile.ts'

type Options = DraftOptions & { check?: boolean; use?: boolean }

export const command: CommandFile<[Options]> = {
  summary: 'Set up a target: a service and its key, or a database file',
  details:
    'In a terminal, asks for whatever the flags leave out. Tests the target, saves it as a profile, and makes it the current one.\n' +
    'A key comes from the prompt, --api-key-stdin, CUSTODY_API_KEY, or CUSTODY_API_KEY_FILE, never from an argument.',
  examples: [
    'init',
    'init --base-url https://custody.example.com/v1 --name northgate --api-key-stdin < key.txt',
    'init --base-url https://custody.example.com/v1 --api-key-command "pass show custody"',
    'init --database custody.db --name rehearsal',
    'init --database /var/lib/custody/custody.db --partner "Northgate Cards" --environment production --name live',
  ],
  define,
  isOffline: true,
  isPlain: true,
  run,
}

function define(init: Command): void {
  init.option('--name <name>', 'Profile name (default: from the address or the file)')
  init.option('--base-url <url>', 'Service address, ending in /v1')
  init.option('--api-key-stdin', 'Read the API key from stdin')
  init.option('--api-key-command <command>', 'Command that prints the API key; the key is not saved')
  init.option('--database <file>', 'Database file; the first write creates it')
  init.option('--partner <name>', 'Partner in the database (default: Sandbox)')
  init.addOption(
    new Option('--environment <name>', 'Environment (default: sandbox; a service names its own)').choices(
      environments,
    ),
  )
  init.option('--no-check', 'Save without checking')
  init.option('--no-use', 'Save without making it the current profile')
  init.addOption(rejectedKey())
  confirmable(init)
}

async function run(session: Session, options: Options): Promise<void> {
  const path = configPath(session.io.env)
  const known = readConfig(path)
  const draft = await draftProfile(session, options)
  const { name } = draft
  if (findProfile(known, name)) await confirm(session, `Replace the profile ${name}?`)
  const profile = options.check === false ? draft.profile : await tried(session, draft)
  const isUsed = options.use !== false
  changeConfig(path, (config) => {
    const profiles = { ...config.profiles, [name]: profile }
    return { ...config, ...(isUsed && { current: name }), profiles }
  })
  session.notice(`Saved the profile ${name}${isUsed ? ' and made it current' : ''}: ${targetOf(profile)}`)
}

/** If a check fails, asks again for the answer at fault. Without a terminal, throws and saves nothing. */
async function tried(session: Session, draft: Draft): Promise<Profile> {
  const { io, errStyle, notice } = session
  const { checks, environment } = await checkTarget(io, settingsOf(session, draft), { isNew: true })
  notice((await checkLines(checks, errStyle)).trimEnd())
  const ending = endingOf(checks)
  if (ending !== 'ok' && canAsk(session) && !session.options.yes) {
    session.notice(`The profile ${draft.name} is not saved yet: answer again, or press Ctrl-C to stop.`)
    return tried(session, await corrected(session, draft, ending))
  }
  if (ending !== 'ok') {
    throw new CliError(ending, `The profile ${draft.name} was not saved: ${faultOf(checks)}`, {
      hint: 'To save it without checking: --no-check.',
    })
  }
  const { profile } = draft
  if (!isService(profile) || profile.environment !== undefined || environment === undefined) return profile
  return { ...profile, environment }
}

function settingsOf({ io }: Session, { name, profile }: Draft): TargetSettings {
  const config: Config = { profiles: { [name]: profile } }
  return resolveTarget({ profile: name }, { env: {}, cwd: io.cwd, defaultDatabase: '', config: () => config })
}

function faultOf(checks: readonly Check[]): string {
  const fault = checks.find(({ ending }) => ending !== undefined)
  return fault === undefined ? '' : `${fault.check}: ${fault.detail.replace(/\.?$/, '.')}`
}

function targetOf(profile: Profile): string {
  const { environment } = profile
  if (isService(profile)) return `${profile.base_url}${environment === undefined ? '' : ` (${environment})`}`
  return `${shownPlace(profile.database)} as ${profile.partner} (${environment})`
}
