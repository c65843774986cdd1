import { type CsvColumns, checkColumnCount } from '../../../domain/csv/csv-header.ts'
import type { PlacedRecord, Separator } from '../../../domain/csv/csv-pieces.ts'
import { invalid } from '../../base/cli-error.ts'
import { refusalOf } from './csv-source.ts'
import type { FileKind } from './file-kind.ts'
import { type NamedColumns, nameKey, type OwnColumns, ownColumns } from './own-columns.ts'
import { type Preset, presets } from './presets.ts'
import type { Table } from './table.ts'

/** How a file is laid out: what separates its columns, where its header is, and what that means. */
export type Layout = {
  separator: Separator
  header: PlacedRecord
  /** The first lines of the file that are not empty. */
  beginning: readonly PlacedRecord[]
  own: OwnColumns
  preset: Preset | undefined
  /** How sure this is: 3 all columns have a meaning, 2 some have, 1 there are several, 0 there is one. */
  score: number
}

/** How the beginning of a file reads with each separator, the likeliest first. Throws `invalid` on more columns than may be. */
export function likelyLayouts(table: Table, kind: FileKind, named: NamedColumns): Layout[] {
  return table.separators
    .flatMap((separator) => {
      const first = table.first(separator)
      refuseWide(table, first, { ...kind.columns, ignored: named.ignored })
      return layoutBy(separator, first, kind, named) ?? []
    })
    .sort((a, b) => b.score - a.score)
}

/** Before any name is compared with those that are known: a million of them, where line breaks are lost, took half a minute. */
function refuseWide({ name }: Table, first: readonly PlacedRecord[], columns: CsvColumns): void {
  const counts = first.map(({ values }) => values.filter((value) => value.trim() !== '').length)
  try {
    checkColumnCount(Math.max(0, ...counts), columns)
  } catch (error) {
    throw refusalOf(error, name)
  }
}

/** The preset whose header this is: of several, the one that names the most columns of it. */
function presetOf(values: readonly string[]): Preset | undefined {
  const keys = new Set(values.map(nameKey))
  const isThere = (names: string | readonly string[]) =>
    [names].flat().some((name) => keys.has(nameKey(name)))
  return presets
    .filter(({ header }) => header.every(isThere))
    .sort((a, b) => b.header.length - a.header.length)
    .at(0)
}

function layoutBy(
  separator: Separator,
  first: readonly PlacedRecord[],
  kind: FileKind,
  named: NamedColumns,
): Layout | undefined {
  const records = first.filter(({ values }) => values.some((value) => value.trim() !== ''))
  const ofPreset = records.find(({ values }) => presetOf(values) !== undefined)
  const header =
    records.find(({ values }) => isOfOurs(kind, values, named)) ?? ofPreset ?? records.find(isNoMark)
  if (header === undefined) return undefined
  const own = ownColumns(kind, header.values, named)
  const preset = ofPreset && presetOf(ofPreset.values)
  const isOwn = fits(own)
  return {
    separator,
    header: isOwn ? header : (ofPreset ?? header),
    beginning: records,
    own,
    preset: isOwn ? undefined : preset,
    score: scoreOf(header, own, isOwn || preset !== undefined),
  }
}

export function fits({ unknown, lacking }: OwnColumns): boolean {
  return unknown.length === 0 && lacking.length === 0
}

function scoreOf({ values }: PlacedRecord, { columns }: OwnColumns, isKnown: boolean): number {
  if (values.length < 2) return 0
  if (isKnown) return 3
  return Object.keys(columns).length > 0 ? 2 : 1
}

function isOfOurs(kind: FileKind, values: readonly string[], named: NamedColumns): boolean {
  return ownColumns(kind, values, named).lacking.length === 0
}

/**
 * How many lines stand above the header: titles and accounts. Throws `invalid` where one of them has a cell wherever a row has one,
 * as in a sheet that was sorted with its header.
 */
export function linesAbove({ header, beginning }: Layout, file: string): number {
  const above = beginning.filter((record) => record.line < header.line && isNoMark(record))
  const least = Math.min(2, filled(header).length)
  const rows = beginning.filter(({ line }) => line > header.line).map(filled)
  const isRow = (columns: readonly number[]): boolean =>
    rows.some((row) => row.length >= least && row.every((at) => columns.includes(at)))
  const row = above.find((record) => isRow(filled(record)))
  if (row === undefined) return above.length
  throw invalid(
    `${file} has its header in line ${header.line}, and line ${row.line} above it looks like a row.`,
    'Move the header above all rows; or delete the lines above it that are no rows.',
  )
}

function filled({ values }: PlacedRecord): number[] {
  return values.flatMap((value, at) => (value.trim() === '' ? [] : [at]))
}

/** Excel's own mark of the separator, before the header. */
function isNoMark({ values }: PlacedRecord): boolean {
  return !/^sep=/i.test(values[0] ?? '')
}
