import { basename, extname, join } from 'node:path'
import type { Environment } from '../../contract/enums.ts'
import { askChoice, askSecret, askText, canAsk } from '../ask/ask.ts'
import { type Ending, usage } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import type { Session } from '../command.ts'
import { checkedKey, keyFault, readKey } from '../connection/api-key.ts'
import { addressFault, baseUrlFrom, warnReadable } from '../connection/base-url.ts'
import {
  type EmbeddedProfile,
  isService,
  type Profile,
  type ServiceProfile,
  sandboxPartner,
} from '../connection/config-file.ts'
import { placeNamed } from '../connection/database-place.ts'
import { dataFolder } from '../connection/target-settings.ts'

export type DraftOptions = {
  name?: string
  baseUrl?: string
  apiKeyStdin?: boolean
  apiKeyCommand?: string
  database?: string
  partner?: string
  environment?: Environment
}

export type Draft = { name: string; profile: Profile }

/** From flags, the environment and, on a terminal, answers. Throws `usage` naming the missing flag. */
export async function draftProfile(session: Session, options: DraftOptions): Promise<Draft> {
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
  if (api_key_command !== undefined && options.apiKeyStdin)
    throw usage('--api-key-command and --api-key-stdin cannot be used together.')
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
export async function corrected(session: Session, draft: Draft, ending: Ending): Promise<Draft> {
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
  return (await askSecret(session, question)).trim()
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
