import { own } from '../../contract/own.ts'
import { closestName } from '../../domain/closest-name.ts'
import { nameKey } from '../../domain/csv/csv-header.ts'
import type { Separator } from '../../domain/csv/csv-pieces.ts'
import { didYouMean, usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import type { Session } from '../command.ts'
import { camelCase } from '../command-line/body-flags.ts'
import { readConfig, type SavedFlags } from '../connection/config-file.ts'
import { configPath } from '../connection/target-settings.ts'
import type { FileKind } from './file-kind.ts'
import type { NamedColumns } from './own-columns.ts'
import { type Preset, presets } from './presets.ts'

export type FormatOptions = {
  map?: string[]
  ignoreColumns?: string
  from?: string
  set?: string[]
  delimiter?: string
  encoding?: string
  sheet?: string
  hidden?: 'include' | 'skip'
  shipStatus?: string[]
  saveMap?: string
}

export type FormatFlags = Record<'encoding' | 'sheet', string | undefined> & {
  hidden: FormatOptions['hidden']
  separator: Separator | undefined
  shipped: ReadonlySet<string>
  preset: Preset | undefined
  /** The flags define the columns, so no preset is searched for. */
  isOwn: boolean
  named: NamedColumns
  set: ReadonlyMap<string, string>
}

const separatorNames: Readonly<Record<string, Separator>> = {
  ',': ',',
  comma: ',',
  ';': ';',
  semicolon: ';',
  '\t': '\t',
  '\\t': '\t',
  tab: '\t',
}

/** Throws `usage`. */
export function formatFlags(kind: FileKind, options: FormatOptions): FormatFlags {
  const { known } = kind.columns
  const { encoding, sheet, hidden } = options
  const renamed = (options.map ?? []).map((text) => renaming(text, known))
  rejectTwoOfOne(renamed)
  const ignored = splitNames(options.ignoreColumns)
  const both = renamed.map(([theirs]) => theirs).find((theirs) => ignored.includes(theirs.toLowerCase()))
  if (both !== undefined) throw usage(`--map and --ignore-columns both name "${both}".`)
  const set = new Map((options.set ?? []).map((text) => constant(text, known)))
  return {
    encoding,
    sheet,
    hidden,
    separator: options.delimiter === undefined ? undefined : separatorOf(options.delimiter),
    shipped: new Set(options.shipStatus?.map((word) => word.trim().toLowerCase())),
    preset: wantedPreset(options.from),
    isOwn: options.from === undefined && (renamed.length > 0 || ignored.length > 0),
    named: { renamed, ignored, given: [...set.keys()] },
    set,
  }
}

function renaming(text: string, known: readonly string[]): [string, string] {
  const [theirs, ours] = cutAt(text, text.lastIndexOf('='))
  if (theirs !== '' && ours !== '') return [theirs, knownColumn('--map', ours, known)]
  throw usage(`--map: "${text}" is not of the form theirs=ours.`, 'As in --map "Cert No=cert_number"')
}

function constant(text: string, known: readonly string[]): [string, string] {
  const [ours, value] = cutAt(text, text.indexOf('='))
  if (ours !== '' && value !== '') return [knownColumn('--set', ours, known), value]
  throw usage(`--set: "${text}" is not of the form column=value.`, 'As in --set dimension_unit=in')
}

function cutAt(text: string, at: number): [string, string] {
  return [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
}

/** Each of our columns comes from one column of the file, and each column of the file becomes one of ours. */
function rejectTwoOfOne(renamed: ReadonlyArray<readonly [theirs: string, ours: string]>): void {
  for (const [theirs, ours] of renamed) {
    const other = renamed.find(([name, of]) => of === ours && nameKey(name) !== nameKey(theirs))
    if (other) throw usage(`--map: "${theirs}" and "${other[0]}" cannot both be ${ours}: give one.`)
    const second = renamed.find(([name, of]) => of !== ours && nameKey(name) === nameKey(theirs))
    if (second) throw usage(`--map: "${theirs}" cannot be both ${ours} and ${second[1]}: give one.`)
  }
}

function knownColumn(flag: string, given: string, known: readonly string[]): string {
  const name = given.toLowerCase()
  if (known.includes(name)) return name
  throw usage(
    `${flag}: there is no column "${name}".`,
    didYouMean(name, known, `The columns are ${known.join(', ')}.`),
  )
}

function separatorOf(text: string): Separator {
  const separator = own(separatorNames, text.toLowerCase())
  if (separator !== undefined) return separator
  throw usage(`--delimiter: "${text}" is not one of comma, semicolon, and tab.`)
}

function wantedPreset(name: string | undefined): Preset | undefined {
  if (name === undefined || name === 'auto') return undefined
  const found = presets.find((preset) => preset.name === name)
  if (found !== undefined) return found
  const names = presets.map((preset) => preset.name)
  throw usage(`--from: there is no preset "${name}".`, didYouMean(name, names, 'See: custody presets ls'))
}

function splitNames(text = ''): string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}

const keptFlags = ['map', 'ignore-columns', 'from', 'set', 'delimiter', 'encoding', 'sheet'] as const

/** Expands --map @NAME; flags on the command line win over saved ones. Throws `usage`. */
export function withSavedMaps<Options extends FormatOptions>(io: Pick<Io, 'env'>, options: Options): Options {
  const { map = [], set = [] } = options
  // A column's name may also begin with @.
  const isSaved = (text: string): boolean => text.startsWith('@') && !text.includes('=')
  const names = map.filter(isSaved)
  if (names.length === 0) return options
  const maps = readConfig(configPath(io.env)).maps ?? {}
  const { ignoreColumns, ...saved }: FormatOptions = Object.assign(
    {},
    ...names.map((name) => optionsOf(named(maps, name.slice(1)))),
  )
  const typed = map.filter((text) => !isSaved(text))
  const pairOf = (text: string) => cutAt(text.toLowerCase(), text.lastIndexOf('='))
  const given = typed.map(pairOf)
  const ignored = splitNames(ignoreColumns).filter((name) => given.every(([theirs]) => theirs !== name))
  const isFree = (text: string): boolean => given.every(([, ours]) => ours !== pairOf(text)[1])
  return {
    ...saved,
    ...(ignored.length > 0 && { ignoreColumns: ignored.join(',') }),
    ...options,
    map: [...(saved.map ?? []).filter(isFree), ...typed],
    ...((saved.set || set.length > 0) && { set: [...(saved.set ?? []), ...set] }),
  }
}

/** Replaces a saved map of the same name. Throws `usage`. */
export async function saveMap(
  { io, notice }: Pick<Session, 'io' | 'notice'>,
  name: string,
  options: FormatOptions,
): Promise<void> {
  if (!/^[\w.-]+$/.test(name)) throw usage('--save-map: a name has letters, digits, dots, and dashes.')
  const values = keptFlags.flatMap((flag) => {
    const value = options[camelCase(flag) as keyof FormatOptions]
    return value === undefined ? [] : [[flag, value] as const]
  })
  if (values.length === 0) throw usage('--save-map: there is nothing to save: no flag describes the file.')
  const { changeConfig } = await import('../connection/save-config.ts')
  changeConfig(configPath(io.env), (config) => ({
    ...config,
    maps: { ...config.maps, [name]: Object.fromEntries(values) },
  }))
  notice(`Saved for files like this: --map @${name}`)
}

function named(maps: Readonly<Record<string, SavedFlags>>, name: string): SavedFlags {
  const found = Object.hasOwn(maps, name) ? maps[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(maps)
  const meant = closestName(name, names)
  const known =
    names.length === 0 ? 'None is saved yet: --save-map NAME saves one.' : `They are ${names.join(', ')}.`
  throw usage(`--map: no map "${name}" is saved.`, meant === null ? known : `Did you mean @${meant}?`)
}

function optionsOf(saved: SavedFlags): FormatOptions {
  const found = keptFlags.flatMap((flag) => {
    const texts = [saved[flag] ?? []].flat()
    if (texts.length === 0) return []
    return [[camelCase(flag), flag === 'map' || flag === 'set' ? texts : texts.join(',')] as const]
  })
  return Object.fromEntries(found)
}
