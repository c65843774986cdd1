import { closestName } from '../../../domain/closest-name.ts'
import { usage } from '../../base/cli-error.ts'
import type { Io } from '../../base/io.ts'
import type { Session } from '../../command.ts'
import { readConfig } from '../../connection/config-file.ts'
import type { SavedFlags } from '../../connection/profiles.ts'
import { configPath } from '../../connection/target-settings.ts'
import type { FormatOptions } from './format-flags.ts'

/** The flags about a file's form, by the names of their options. */
const flags = {
  map: 'map',
  'ignore-columns': 'ignoreColumns',
  from: 'from',
  set: 'set',
  delimiter: 'delimiter',
  encoding: 'encoding',
  sheet: 'sheet',
} as const

/** The options, with those that --map @NAME stands for; flags that are given win over saved ones. Throws `usage`. */
export function withSavedMaps<Options extends FormatOptions>(io: Pick<Io, 'env'>, options: Options): Options {
  const { map = [], set = [] } = options
  const names = map.filter(isSavedMap)
  if (names.length === 0) return options
  const maps = readConfig(configPath(io.env)).maps ?? {}
  const kept: FormatOptions = Object.assign({}, ...names.map((name) => optionsOf(named(maps, name.slice(1)))))
  const typed = map.filter((text) => !isSavedMap(text))
  const given = new Set(typed.map(oursIn))
  return {
    ...kept,
    ...options,
    map: [...(kept.map ?? []).filter((text) => !given.has(oursIn(text))), ...typed],
    ...((kept.set || set.length > 0) && { set: [...(kept.set ?? []), ...set] }),
  }
}

/** Saves the flags under a name, replacing what had it, and says so. Throws `usage`. */
export async function saveMap(
  { io, notice }: Pick<Session, 'io' | 'notice'>,
  name: string,
  options: FormatOptions,
): Promise<void> {
  if (!/^[\w.-]+$/.test(name)) throw usage('--save-map: a name has letters, digits, dots and dashes.')
  const values = Object.entries(flags).flatMap(([flag, option]) => {
    const value = options[option]
    return value === undefined ? [] : [[flag, value] as const]
  })
  if (values.length === 0)
    throw usage('--save-map: no flag tells of the form of this file: there is nothing to keep.')
  const { changeConfig } = await import('../../connection/save-config.ts')
  changeConfig(configPath(io.env), (config) => ({
    ...config,
    maps: { ...config.maps, [name]: Object.fromEntries(values) },
  }))
  notice(`Kept for files like this: --map @${name}`)
}

/** The column of ours that a --map names. */
function oursIn(text: string): string {
  return text
    .slice(text.lastIndexOf('=') + 1)
    .trim()
    .toLowerCase()
}

/** Whether a --map names a saved one: the name of a column may begin with @ too. */
function isSavedMap(text: string): boolean {
  return text.startsWith('@') && !text.includes('=')
}

function named(maps: Readonly<Record<string, SavedFlags>>, name: string): SavedFlags {
  const found = Object.hasOwn(maps, name) ? maps[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(maps)
  const meant = closestName(name, names)
  const known =
    names.length === 0 ? 'None is kept yet: --save-map NAME keeps one.' : `They are ${names.join(', ')}.`
  throw usage(`--map: no map "${name}" is kept.`, meant === null ? known : `Did you mean @${meant}?`)
}

function optionsOf(saved: SavedFlags): FormatOptions {
  const kept = Object.entries(flags).flatMap(([flag, option]) => {
    const texts = [saved[flag] ?? []].flat()
    if (texts.length === 0) return []
    return [[option, option === 'map' || option === 'set' ? texts : texts.join(',')] as const]
  })
  return Object.fromEntries(kept)
}
