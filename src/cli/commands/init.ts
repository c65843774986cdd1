import { basename, extname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Command, Option } from 'commander'
import { type Environment, environments } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { shownPlace } from '../../domain/database-address.ts'
import { askChoice, askSecret, askText, canAsk, confirm, confirmable } from '../ask/ask.ts'
import { CliError, type Ending, rejectTwo, usage } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import { rejectedKey } from '../base/rejected-secrets.ts'
import type { LoneCommand, Session } from '../command.ts'
import { checkedKey, keyFault, readKey } from '../connection/api-key.ts'
import { addressFault, baseUrlFrom, warnReadable } from '../connection/base-url.ts'
import {
  type Config,
  type EmbeddedProfile,
  isService,
  type Profile,
  readConfig,
  type ServiceProfile,
  sandboxPartner,
} from '../connection/config-file.ts'
import { placeNamed } from '../connection/database-place.ts'
import { changeConfig } from '../connection/save-config.ts'
import { resolveTarget, type TargetSettings } from '../connection/target.ts'
import { configPath, dataFolder } from '../connection/target-settings.ts'
import { type Check, checkLines, endingOf } from '../doctor/check.ts'
import { checkTarget } from '../doctor/check-target.ts'

type Options = DraftOptions & { check?: boolean; use?: boolean }

export const command: LoneCommand<[Options]> = {
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
  const known = readConfig(path).profiles
  const draft = await draftProfile(session, options)
  const { name } = draft
  if (Object.hasOwn(known, name)) await confirm(session, `Replace the profile ${name}?`)
  const profile = options.check === false ? draft.profile : await tried(session, draft)
  const isUsed = options.use !== false
  changeConfig(path, (config) => {
    const there = own(config.profiles, name)
    if (there !== undefined && !isDeepStrictEqual(there, own(known, name)))
      throw new CliError('conflict', `Another run has saved the profile ${name} meanwhile.`, {
        hint: 'Choose another name with --name, or run it again to replace that profile.',
      })
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

type DraftOptions = {
  name?: string
  baseUrl?: string
  apiKeyStdin?: boolean
  apiKeyCommand?: string
  database?: string
  partner?: string
  environment?: Environment
}

type Draft = { name: string; profile: Profile }

/** From flags, the environment and, on a terminal, answers. Throws `usage` naming the missing flag. */
async function draftProfile(session: Session, options: DraftOptions): Promise<Draft> {
  const isForService = await wantsService(session, options)
  const profile = isForService ? await draftService(session, options) : await draftEmbedded(session, options)
  const likely = 'base_url' in profile ? nameOfHost(profile.base_url) : nameOfFile(profile.database)
  return { name: await nameFrom(session, options.name, likely), profile }
}

async function wantsService(session: Session, options: DraftOptions): Promise<boolean> {
  const { baseUrl, apiKeyStdin, apiKeyCommand, database, partner } = options
  const isService = baseUrl !== undefined || apiKeyStdin === true || apiKeyCommand !== undefined
  const isEmbedded = database !== undefined || partner !== undefined
  if (isService && isEmbedded) {
    throw usage('A profile is a service (--base-url, --api-key-stdin) or a database (--database, --partner).')
  }
  if (isService || isEmbedded) return isService
  const question = { flag: '--base-url or --database', message: 'Where should commands go?' }
  const kinds = { service: 'a service, over the network', embedded: 'a database file on this machine' }
  return (await askChoice(session, question, kinds)) === 'service'
}

async function draftService(session: Session, options: DraftOptions): Promise<ServiceProfile> {
  const base_url = await addressFrom(session, options.baseUrl)
  const { apiKeyCommand: api_key_command, environment } = options
  rejectTwo({ '--api-key-command': api_key_command, '--api-key-stdin': options.apiKeyStdin })
  const key =
    api_key_command === undefined ? { api_key: await keyFrom(session, options) } : { api_key_command }
  return { base_url, ...key, ...(environment && { environment }) }
}

async function addressFrom(session: Session, given?: string, likely?: string): Promise<string> {
  const flag = '--base-url'
  const question = { flag, message: 'Address of the service, which ends in /v1', fault: addressFault }
  const text = given ?? (await askText(session, { ...question, ...(likely !== undefined && { likely }) }))
  const base_url = baseUrlFrom(text, flag)
  warnReadable(base_url, session.notice)
  return base_url
}

/** Asks again for the one answer that made a check fail. */
async function corrected(session: Session, draft: Draft, ending: Ending): Promise<Draft> {
  const { profile } = draft
  if (!isService(profile)) {
    const database = await fileFrom(session, undefined, profile.database)
    return { ...draft, profile: { ...profile, database } }
  }
  if (ending === 'key_refused') {
    const { base_url, environment } = profile
    const api_key = await askKey(session)
    return { ...draft, profile: { base_url, api_key, ...(environment && { environment }) } }
  }
  const base_url = await addressFrom(session, undefined, profile.base_url)
  return { ...draft, profile: { ...profile, base_url } }
}

async function keyFrom(session: Session, { apiKeyStdin }: DraftOptions): Promise<string> {
  const { io } = session
  if (apiKeyStdin) return checkedKey((await readInput(io, '-')).toString(), '--api-key-stdin')
  const { CUSTODY_API_KEY: key, CUSTODY_API_KEY_FILE: file } = io.env
  if (key) return readKey(io, { key }, 'CUSTODY_API_KEY')
  if (file) return readKey(io, { file }, 'CUSTODY_API_KEY_FILE')
  return askKey(session)
}

async function askKey(session: Session): Promise<string> {
  const question = { flag: '--api-key-stdin', message: 'API key', fault: keyFault }
  return checkedKey(await askSecret(session, question), 'The answer')
}

async function draftEmbedded(session: Session, options: DraftOptions): Promise<EmbeddedProfile> {
  const likely = join(dataFolder(session.io.env), 'custody.db')
  return {
    database: await fileFrom(session, options.database, likely),
    partner: options.partner?.trim() || sandboxPartner,
    environment: options.environment ?? 'sandbox',
  }
}

async function fileFrom(session: Session, given: string | undefined, likely: string): Promise<string> {
  const question = { flag: '--database', message: 'Database file; created if new', likely }
  return placeNamed(given ?? (await askText(session, question)), question.flag, session.io.cwd)
}

async function nameFrom(session: Session, given: string | undefined, likely: string): Promise<string> {
  if (given !== undefined) {
    const fault = nameFault(given)
    if (fault !== undefined) throw usage(`--name: "${given}" ${fault}.`)
    return given
  }
  if (!canAsk(session) || session.options.yes) return likely
  return askText(session, { flag: '--name', message: 'Name of the profile', likely, fault: nameFault })
}

function nameFault(name: string): string | undefined {
  return /^[A-Za-z0-9][\w.-]{0,62}$/.test(name)
    ? undefined
    : 'is not a name: use letters, digits, dashes, dots, and underscores, and start with a letter or digit'
}

function nameOfHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) return 'local'
  return hostname.split('.')[0] ?? 'service'
}

function nameOfFile(file: string): string {
  const name = basename(file, extname(file))
  return nameFault(name) === undefined ? name : 'local'
}
