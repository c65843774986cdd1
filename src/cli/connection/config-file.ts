import { readFileSync, statSync } from 'node:fs'
import { type Environment, environments } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { CliError, didYouMean, usage } from '../base/cli-error.ts'
import { rejectShared } from '../base/durable-file.ts'

/** Uses no library, because every command reads it. Empty if missing. Throws `usage` if invalid, or if others can read it. */
export function readConfig(path: string): Config {
  const stat = inWords(path, () => statSync(path, { throwIfNoEntry: false }))
  if (stat === undefined) return noConfig
  rejectShared(path, stat, 'API keys')
  const text = inWords(path, () => readFileSync(path, 'utf8'))
  return configFrom(parse(text, path), path)
}

function inWords<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw usage(`${path} cannot be read: ${(error as Error).message}.`)
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

/** `excel`: write all CSV for Excel; true: the language's separator. `maps`: flags for files of one form, by the form's name. */
export type Config = {
  current?: string
  profiles: Readonly<Record<string, Profile>>
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
  // Additions by a newer custody, or by a person, stay in the file.
  const {
    current,
    profiles = {},
    excel,
    maps,
    ...others
  } = objectOr(value, `${path} does not contain a JSON object.`)
  const named = Object.entries(objectOr(profiles, `${path}: profiles is not an object.`))
  const read = named.map(([name, profile]) => [name, profileFrom(profile, `${path}: the profile ${name}`)])
  if (current !== undefined && typeof current !== 'string')
    throw usage(`${path}: current is not a profile name.`)
  if (excel !== undefined && typeof excel !== 'boolean' && excel !== ',' && excel !== ';')
    throw usage(`${path}: excel must be true, false, "," or ";".`)
  return {
    ...others,
    ...(current !== undefined && { current }),
    profiles: Object.fromEntries(read),
    ...(excel !== undefined && { excel }),
    ...(maps !== undefined && { maps: mapsFrom(maps, path) }),
  }
}

/** Throws `not_found` with the nearest name. */
export function profileNamed(config: Config, name: string): Profile {
  const found = own(config.profiles, name)
  if (found !== undefined) return found
  throw new CliError('not_found', `There is no profile named "${name}".`, { hint: nearest(config, name) })
}

export function nearest({ profiles }: Config, name: string): string {
  const names = Object.keys(profiles)
  if (names.length === 0) return 'Create one with: custody init'
  return didYouMean(name, names, `The profiles are ${names.join(', ')}.`)
}

function profileFrom(value: unknown, what: string): Profile {
  const profile = objectOr(value, `${what} is not an object.`)
  const environment = environments.find((known) => known === profile.environment)
  if (profile.environment !== undefined && environment === undefined)
    throw usage(`${what}: environment must be ${environments.join(' or ')}.`)
  const { base_url, database, partner, environment: _, api_key, api_key_command, ...others } = profile
  if (typeof base_url === 'string') {
    const key = keyFrom({ api_key, api_key_command }, what)
    return { ...others, base_url, ...key, ...(environment && { environment }) }
  }
  if (typeof database !== 'string') throw usage(`${what} has neither base_url nor database.`)
  if (partner !== undefined && typeof partner !== 'string') throw usage(`${what}: partner is not a name.`)
  return { ...others, database, partner: partner ?? sandboxPartner, environment: environment ?? 'sandbox' }
}

function keyFrom(
  { api_key, api_key_command }: Record<string, unknown>,
  what: string,
): Pick<ServiceProfile, 'api_key' | 'api_key_command'> {
  if (api_key !== undefined && typeof api_key !== 'string') throw usage(`${what}: api_key is not text.`)
  if (api_key_command === undefined) return api_key === undefined ? {} : { api_key }
  if (typeof api_key_command !== 'string' || api_key_command.trim() === '')
    throw usage(`${what}: api_key_command is not a command.`)
  if (api_key !== undefined) throw usage(`${what} has both api_key and api_key_command; keep one of them.`)
  return { api_key_command }
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
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw usage(complaint, 'Correct the file, or delete it and run: custody init')
}
