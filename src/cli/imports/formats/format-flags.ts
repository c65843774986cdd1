import type { Separator } from '../../../domain/csv/csv-pieces.ts'
import { usage } from '../../base/cli-error.ts'
import { didYouMean } from '../../base/did-you-mean.ts'
import type { FileKind } from './file-kind.ts'
import { nameKey } from './header-name.ts'
import type { NamedColumns } from './own-columns.ts'
import type { Preset } from './presets/preset.ts'
import { presetNamed, presets } from './presets/presets.ts'

/** What the command line says about a file's form. */
export type FormatOptions = {
  map?: string[]
  ignoreColumns?: string
  /** The name of a preset, or auto. */
  from?: string
  /** column=value */
  set?: string[]
  delimiter?: string
  encoding?: string
  /** Of a workbook: its name or number. */
  sheet?: string
  /** Of a workbook: what becomes of rows that it does not show. */
  hidden?: 'include' | 'skip'
  /** Statuses of a shop's orders that are shipped. */
  shipStatus?: string[]
  /** The name under which these flags are kept. */
  saveMap?: string
}

/** What the flags say about a file's form. */
export type FormatFlags = {
  encoding: string | undefined
  separator: Separator | undefined
  sheet: string | undefined
  hidden: FormatOptions['hidden']
  shipped: ReadonlySet<string>
  preset: Preset | undefined
  /** No preset is searched for: the flags say what the columns are. */
  isOwn: boolean
  named: NamedColumns
  /** Constants of our columns, by --set. */
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

/** Reads the flags of an import that are about the file's form. Throws `usage`. */
export function formatFlags(kind: FileKind, options: FormatOptions): FormatFlags {
  const { known } = kind.columns
  const renamed = (options.map ?? []).map((text) => renaming(text, known))
  refuseTwoOfOne(renamed)
  const ignored = splitNames(options.ignoreColumns)
  const both = renamed.map(([theirs]) => theirs).find((theirs) => ignored.includes(theirs.toLowerCase()))
  if (both !== undefined) throw usage(`--map and --ignore-columns both name "${both}".`)
  const set = new Map((options.set ?? []).map((text) => constant(text, known)))
  return {
    encoding: options.encoding,
    separator: options.delimiter === undefined ? undefined : separatorOf(options.delimiter),
    sheet: options.sheet,
    hidden: options.hidden,
    shipped: new Set(options.shipStatus?.map((word) => word.trim().toLowerCase())),
    preset: wantedPreset(options.from),
    isOwn: options.from === undefined && (renamed.length > 0 || ignored.length > 0),
    named: { renamed, ignored, given: [...set.keys()] },
    set,
  }
}

function renaming(text: string, known: readonly string[]): [string, string] {
  const at = text.lastIndexOf('=')
  const theirs = text.slice(0, Math.max(at, 0)).trim()
  const ours = text.slice(at + 1).trim()
  if (theirs === '' || ours === '') {
    throw usage(`--map: "${text}" is not of the form theirs=ours.`, 'As in --map "Cert No=cert_number"')
  }
  return [theirs, knownColumn('--map', ours, known)]
}

/** Only one column can be read as ours, and a column only as one of ours. */
function refuseTwoOfOne(renamed: ReadonlyArray<readonly [theirs: string, ours: string]>): void {
  for (const [theirs, ours] of renamed) {
    const other = renamed.find(([name, of]) => of === ours && nameKey(name) !== nameKey(theirs))
    if (other) throw usage(`--map: "${theirs}" and "${other[0]}" cannot both be ${ours}: give one.`)
    const second = renamed.find(([name, of]) => of !== ours && nameKey(name) === nameKey(theirs))
    if (second) throw usage(`--map: "${theirs}" cannot be both ${ours} and ${second[1]}: give one.`)
  }
}

function constant(text: string, known: readonly string[]): [string, string] {
  const at = text.indexOf('=')
  const [ours, value] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
  if (ours === '' || value === '')
    throw usage(`--set: "${text}" is not of the form column=value.`, 'As in --set dimension_unit=in')
  return [knownColumn('--set', ours, known), value]
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
  const separator = separatorNames[text.toLowerCase()]
  if (separator !== undefined) return separator
  throw usage(`--delimiter: "${text}" is not one of comma, semicolon and tab.`)
}

function wantedPreset(name: string | undefined): Preset | undefined {
  if (name === undefined || name === 'auto') return undefined
  const found = presetNamed(name)
  if (found !== undefined) return found
  const names = presets.map((preset) => preset.name)
  throw usage(`--from: there is no preset "${name}".`, didYouMean(name, names, 'See: custody presets ls'))
}

function splitNames(text = ''): string[] {
  return text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
}
