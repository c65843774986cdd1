import { readFileSync, statSync } from 'node:fs'
import { type Environment, environments } from '../../contract/enums.ts'
import { CliError, didYouMean, usage } from '../base/cli-error.ts'
import { rejectShared } from '../base/durable-file.ts'
import { isObject, unreadable } from '../base/input-file.ts'
import { quoted } from '../base/shell-word.ts'

/** Uses no library, because every command reads it. Empty if missing. Throws `usage` if invalid, or if others can read it. */
export function readConfig(path: string): Config {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return noConfig
    rejectShared(path, stat, 'API keys')
    return configFrom(parse(readFileSync(path, 'utf8'), path), path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.trim())
  } catch (error) {
    throw usage(
      `${path} is not valid JSON: ${(error as Error).message}.`,
      'Correct it, or delete it and run: custody init',
    )
  }
}

/** Without `api_key` and `api_key_command`, CUSTODY_API_KEY or CUSTODY_API_KEY_FILE must provide the key. */
export type ServiceProfile = {
  base_url: string
  api_key?: string
  api_key_command?: string
  environment?: Environment
}
export type EmbeddedProfile = { database: string; partner: string; environment: Environment }
export type Profile = ServiceProfile | EmbeddedProfile

/** `profiles` as stored: one that this version cannot read fails only if it is used. `excel: true`: the language's separator. */
export type Config = {
  current?: string
  profiles: Readonly<Record<string, unknown>>
  excel?: boolean | ',' | ';'
  maps?: Readonly<Record<string, SavedFlags>>
}

/** As typed, by the names of the flags without dashes. */
export type SavedFlags = Readonly<Record<string, string | readonly string[]>>

export const noConfig: Config = { profiles: {} }

export function isService(profile: Profile): profile is ServiceProfile {
  return 'base_url' in profile
}

/** Throws `usage` saying what is wrong in `path`. */
function configFrom(value: unknown, path: string): Config {
  // Additions by a newer version, or by a person, stay in the file.
  const config = objectOr(value, `${path} does not contain a JSON object.`)
  const checked = Object.entries(checks).flatMap(([key, check]) =>
    config[key] === undefined ? [] : [[key, check(config[key], path)]],
  )
  return { ...config, profiles: {}, ...Object.fromEntries(checked) }
}

/** Without a check for each key, this does not compile. They throw `usage`. */
const checks: { readonly [Key in keyof Config]-?: (value: unknown, path: string) => Config[Key] } = {
  current(value, path) {
    if (typeof value === 'string') return value
    throw usage(`${path}: current is not a profile name.`)
  },
  profiles: (value, path) => objectOr(value, `${path}: profiles is not an object.`),
  excel(value, path) {
    if (typeof value === 'boolean' || value === ',' || value === ';') return value
    throw usage(`${path}: excel must be true, false, "," or ";".`)
  },
  maps: mapsFrom,
}

/** Throws `not_found` with the nearest name, or `usage` if this version cannot read the profile. */
export function profileNamed(config: Config, name: string): Profile {
  rejectUnknown(config, name)
  return profileFrom(name, config.profiles[name])
}

export function rejectUnknown(config: Config, name: string): void {
  if (Object.hasOwn(config.profiles, name)) return
  throw new CliError('not_found', `There is no profile named "${name}".`, { hint: nearest(config, name) })
}

export function nearest({ profiles }: Config, name: string): string {
  const names = Object.keys(profiles)
  if (names.length === 0) return 'Create one with: custody init'
  return didYouMean(name, names, `The profiles are ${names.join(', ')}.`)
}

function profileFrom(name: string, value: unknown): Profile {
  const fault = (what: string) =>
    usage(`The profile ${name} ${what}.`, `Create it again with: custody init --name ${quoted(name)}`)
  if (!isObject(value)) throw fault('is not an object')
  const environment = environments.find((known) => known === value.environment)
  if (value.environment !== undefined && environment === undefined)
    throw fault(`has an environment other than ${environments.join(' and ')}`)
  const { base_url, database, partner, environment: _, api_key, api_key_command, ...others } = value
  if (typeof base_url === 'string') {
    if (api_key !== undefined && typeof api_key !== 'string') throw fault('has an api_key that is not text')
    const isCommand = typeof api_key_command === 'string' && api_key_command.trim() !== ''
    if (api_key_command !== undefined && !isCommand)
      throw fault('has an api_key_command that is not a command')
    if (api_key !== undefined && isCommand)
      throw fault('has both api_key and api_key_command: keep one of them')
    const key = isCommand ? { api_key_command } : api_key !== undefined && { api_key }
    return { ...others, base_url, ...key, ...(environment && { environment }) }
  }
  if (typeof database !== 'string') throw fault('has neither base_url nor database')
  if (partner !== undefined && typeof partner !== 'string') throw fault('has a partner that is not a name')
  return { ...others, database, partner: partner ?? sandboxPartner, environment: environment ?? 'sandbox' }
}

type ReadProfile = { name: string; profile?: Profile; fault?: string }

export function readProfiles({ profiles }: Config): ReadProfile[] {
  return Object.entries(profiles).map(([name, value]) => {
    try {
      return { name, profile: profileFrom(name, value) }
    } catch (error) {
      const { message, hint } = error as CliError
      return { name, fault: `${message} ${hint}, or delete it: custody profiles rm ${quoted(name)}` }
    }
  })
}

function mapsFrom(value: unknown, path: string): Record<string, SavedFlags> {
  const named = Object.entries(objectOr(value, `${path}: maps is not an object.`))
  return Object.fromEntries(
    named.map(([name, flags]) => {
      const what = `${path}: the map ${name}`
      const values = Object.entries(objectOr(flags, `${what} is not an object.`))
      for (const [flag, given] of values)
        if ([given].flat().some((text) => typeof text !== 'string'))
          throw usage(`${what}: ${flag} is neither a string nor a list of strings.`)
      return [name, Object.fromEntries(values) as SavedFlags]
    }),
  )
}

export const sandboxPartner = 'Sandbox'

function objectOr(value: unknown, complaint: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw usage(complaint, 'Correct the file, or delete it and run: custody init')
}
