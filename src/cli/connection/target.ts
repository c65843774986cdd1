import type { Environment } from '../../contract/enums.ts'
import { rejectTwo, usage } from '../base/cli-error.ts'
import type { KeySource } from './api-key.ts'
import { baseUrlFrom } from './base-url.ts'
import {
  type Config,
  isService,
  nearest,
  type Profile,
  profileNamed,
  type ServiceProfile,
  sandboxPartner,
} from './config-file.ts'
import { placeNamed } from './database-place.ts'

export type TargetOptions = {
  profile?: string
  baseUrl?: string
  database?: string
  seed?: boolean
  maxWait?: string
}

/** `name`: of the flag, the variable, or the profile, or `default`. `current`: the profile in use. */
export type Origin = { source: 'flag' | 'environment' | 'profile' | 'current' | 'default'; name: string }
type Setting<T> = Origin & { value: T }

export type ServiceSettings = {
  kind: 'service'
  profile: Setting<string> | undefined
  baseUrl: Setting<string>
  apiKey: Setting<KeySource> | undefined
  /** Undefined if not configured: it is never inferred from a key (decisions 1). */
  environment: Setting<Environment> | undefined
}

export type EmbeddedSettings = {
  kind: 'embedded'
  profile: Setting<string> | undefined
  database: Setting<string>
  partner: Setting<string>
  environment: Setting<Environment>
}

export type TargetSettings = ServiceSettings | EmbeddedSettings

type Surroundings = {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  defaultDatabase: string
  /** Called only if no flag or variable decides. */
  config: () => Config
}

type Named = { name: Setting<string>; profile: Profile }

/** Flag > variable > profile > the user's sandbox; no variable overrides --profile. Throws `usage` if they contradict. */
export function resolveTarget(options: TargetOptions, around: Surroundings): TargetSettings {
  const { profile, baseUrl, database } = options
  rejectTwo({ '--profile': profile, '--base-url': baseUrl, '--database': database })
  if (database) return embeddedFile(database, { source: 'flag', name: '--database' }, around)
  if (baseUrl) return serviceAt(baseUrl, { source: 'flag', name: '--base-url' }, around)
  if (profile) return fromProfile(named(profile, { source: 'flag', name: '--profile' }, around), around)
  return withoutFlags(around)
}

function withoutFlags(around: Surroundings): TargetSettings {
  const { CUSTODY_BASE_URL, CUSTODY_DATABASE, CUSTODY_PROFILE } = around.env
  rejectTwo({ CUSTODY_BASE_URL, CUSTODY_DATABASE })
  rejectTwo({ CUSTODY_DATABASE, CUSTODY_PROFILE })
  if (CUSTODY_DATABASE) return embeddedFile(CUSTODY_DATABASE, variable('CUSTODY_DATABASE'), around)
  if (CUSTODY_BASE_URL) return serviceAt(CUSTODY_BASE_URL, variable('CUSTODY_BASE_URL'), around)
  const chosen = chosenProfile(around)
  if (chosen) return fromProfile(chosen, around)
  const key = keyOfEnvironment(around)
  if (key) {
    throw usage(
      `${key.name} is set, but no service is named.`,
      'Name it with CUSTODY_BASE_URL or --base-url, or create a profile with: custody init',
    )
  }
  return embeddedFile(around.defaultDatabase, implied, around)
}

function fromProfile({ name, profile }: Named, around: Surroundings): TargetSettings {
  const origin: Origin = { source: 'profile', name: name.value }
  if (!isService(profile)) {
    const { database, partner, environment } = profile
    return {
      kind: 'embedded',
      profile: name,
      database: { value: placeNamed(database, `The profile ${name.value}`, around.cwd), ...origin },
      partner: { value: partner, ...origin },
      environment: { value: environment, ...origin },
    }
  }
  const { api_key: key, api_key_command: command } = profile
  const source = command !== undefined ? { command } : key === undefined ? undefined : { key }
  const own = source && { value: source, ...origin }
  const variables = keyOfEnvironment(around)
  return {
    kind: 'service',
    profile: name,
    baseUrl: { value: baseUrlFrom(profile.base_url, `The profile ${name.value}`), ...origin },
    apiKey: name.source === 'flag' ? (own ?? variables) : (variables ?? own),
    environment: profile.environment && { value: profile.environment, ...origin },
  }
}

/** A key that was given for one service is never sent to another. */
function serviceAt(text: string, origin: Origin, around: Surroundings): ServiceSettings {
  const baseUrl = { value: baseUrlFrom(text, origin.name), ...origin }
  const variables = keyOfEnvironment(around)
  const chosen = variables === undefined || around.env.CUSTODY_PROFILE ? chosenProfile(around) : undefined
  const isSame = chosen && isService(chosen.profile) && isAt(chosen.profile, baseUrl.value)
  if (chosen && !isSame && origin.source === 'environment' && chosen.name.source === 'environment') {
    throw usage(
      `CUSTODY_BASE_URL and CUSTODY_PROFILE cannot be used together: ${chosen.name.value} has another address.`,
    )
  }
  if (!chosen || !isSame) {
    return { kind: 'service', profile: undefined, baseUrl, apiKey: variables, environment: undefined }
  }
  const whole = fromProfile(chosen, around) as ServiceSettings
  return { ...whole, baseUrl }
}

function isAt({ base_url }: ServiceProfile, baseUrl: string): boolean {
  return URL.canParse(base_url) && baseUrlFrom(base_url, '') === baseUrl
}

const implied: Origin = { source: 'default', name: 'default' }

function embeddedFile(text: string, origin: Origin, around: Surroundings): EmbeddedSettings {
  return {
    kind: 'embedded',
    profile: undefined,
    database: { value: placeNamed(text, origin.name, around.cwd), ...origin },
    partner: { value: sandboxPartner, ...implied },
    environment: { value: 'sandbox', ...implied },
  }
}

function chosenProfile(around: Surroundings): Named | undefined {
  const { CUSTODY_PROFILE } = around.env
  if (CUSTODY_PROFILE) return named(CUSTODY_PROFILE, variable('CUSTODY_PROFILE'), around)
  const { current } = around.config()
  if (current === undefined) return undefined
  return named(current, { source: 'current', name: 'profiles use' }, around)
}

function named(name: string, origin: Origin, { config }: Surroundings): Named {
  if (Object.hasOwn(config().profiles, name))
    return { name: { value: name, ...origin }, profile: profileNamed(config(), name) }
  throw usage(`${origin.name}: there is no profile named "${name}".`, nearest(config(), name))
}

function keyOfEnvironment({ env }: Surroundings): Setting<KeySource> | undefined {
  const { CUSTODY_API_KEY: key, CUSTODY_API_KEY_FILE: file } = env
  if (key) return { value: { key }, ...variable('CUSTODY_API_KEY') }
  return file ? { value: { file }, ...variable('CUSTODY_API_KEY_FILE') } : undefined
}

function variable(name: string): Origin {
  return { source: 'environment', name }
}

export function originText({ source, name }: Origin): string {
  return source === 'profile' ? `profile ${name}` : name
}
