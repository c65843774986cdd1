import { own } from '../../contract/own.ts'
import { type CsvColumns, checkColumnCount, headerFaults, nameKey } from '../../domain/csv/csv-header.ts'
import type { PlacedRecord, Separator } from '../../domain/csv/csv-pieces.ts'
import { fulfillmentColumns } from '../../domain/fulfillments/fulfillment-csv.ts'
import { productColumns } from '../../domain/items/product-csv.ts'
import { manifestColumns } from '../../domain/manifests/manifest-csv.ts'
import { invalid } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { quoted } from '../base/shell-word.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'
import { rejectionOf } from './csv-source.ts'
import { errorColumns, type FileKind } from './file-kind.ts'
import type { FormatFlags } from './format-flags.ts'
import {
  columnNamed,
  findColumn,
  headerRejection,
  type NamedColumns,
  type OwnColumns,
  ownColumns,
} from './own-columns.ts'
import { type Preset, presets, type Rule } from './presets.ts'
import type { Table } from './table.ts'
import { columnsOf, type Plan } from './take-rows.ts'

export type Layout = {
  separator: Separator
  header: PlacedRecord
  /** Without empty lines. */
  beginning: readonly PlacedRecord[]
  own: OwnColumns
  preset: Preset | undefined
  /** Certainty: 3 if all columns have a meaning, 2 if some have, 1 if there are several columns, 0 if there is one. */
  score: number
}

/** One per separator, the likeliest first. Throws `invalid` on too many columns. */
export function likelyLayouts(table: Table, kind: FileKind, named: NamedColumns): Layout[] {
  return table.separators
    .flatMap((separator) => {
      const first = table.first(separator)
      rejectWide(table, first, { ...kind.columns, ignored: named.ignored })
      return layoutBy(separator, first, kind, named) ?? []
    })
    .sort((a, b) => b.score - a.score)
}

/** Runs before names are compared: with lost line breaks, a million names took half a minute. */
function rejectWide({ name }: Table, first: readonly PlacedRecord[], columns: CsvColumns): void {
  const counts = first.map(({ values }) => values.filter((value) => value.trim() !== '').length)
  try {
    checkColumnCount(Math.max(0, ...counts), columns)
  } catch (error) {
    throw rejectionOf(error, name)
  }
}

function presetOf(values: readonly string[]): Preset | undefined {
  const found = presets.filter((preset) => lackingIn(values, preset).length === 0)
  return found.sort((a, b) => b.header.length - a.header.length).at(0)
}

function lackingIn(values: readonly string[], { header }: Pick<Preset, 'header'>): Preset['header'] {
  const keys = new Set(values.map(nameKey))
  return header.filter((names) => ![names].flat().some((name) => keys.has(nameKey(name))))
}

function layoutBy(
  separator: Separator,
  first: readonly PlacedRecord[],
  kind: FileKind,
  named: NamedColumns,
): Layout | undefined {
  const records = first.filter(({ values }) => values.some((value) => value.trim() !== ''))
  const ofPreset = records.find(({ values }) => presetOf(values) !== undefined)
  const [likeliest] = records
    .map((record) => ({ record, own: ownColumns(kind, record.values, named) }))
    .filter(({ own }) => own.lacking.length === 0)
    .sort((a, b) => knownIn(b.own) - knownIn(a.own))
  const header = likeliest?.record ?? ofPreset ?? records.find(isNoMark)
  if (header === undefined) return undefined
  const own = likeliest?.own ?? ownColumns(kind, header.values, named)
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

/** A title above the header may be the name of a column too. */
const knownIn = ({ columns }: OwnColumns): number => Object.keys(columns).length

function fits({ unknown, lacking }: OwnColumns): boolean {
  return unknown.length === 0 && lacking.length === 0
}

function scoreOf({ values }: PlacedRecord, { columns }: OwnColumns, isKnown: boolean): number {
  if (values.length < 2) return 0
  if (isKnown) return 3
  return Object.keys(columns).length > 0 ? 2 : 1
}

/** Throws `invalid` if a line above the header looks like a row, as in a sheet sorted with its header. */
function linesAbove({ header, beginning }: Layout, file: string): number {
  const above = beginning.filter((record) => record.line < header.line && isNoMark(record))
  const least = Math.min(2, filled(header).length)
  const rows = beginning.filter(({ line }) => line > header.line).map(filled)
  const isRow = (columns: readonly number[]): boolean =>
    rows.some((row) => row.length >= least && row.every((at) => columns.includes(at)))
  const row = above.find((record) => isRow(filled(record)))
  if (row === undefined) return above.length
  throw invalid(
    `The header of ${file} is in line ${header.line}, but line ${row.line} above it looks like a row.`,
    'Move the header above all rows, or delete the lines above it.',
  )
}

function filled({ values }: PlacedRecord): number[] {
  return values.flatMap((value, at) => (value.trim() === '' ? [] : [at]))
}

/** Excel marks the separator in a line before the header. */
function isNoMark({ values }: PlacedRecord): boolean {
  return !/^sep=/i.test(values[0] ?? '')
}

type ChosenLayout = { separator: Separator; headerLine: number; above: number; plan: Plan }

const separatorNames: Readonly<Record<Separator, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

const imports = {
  manifest: { command: 'manifests submit', columns: manifestColumns },
  products: { command: 'products import', columns: productColumns },
  fulfillments: { command: 'fulfillments import', columns: fulfillmentColumns },
}

/** Prints what it found. Throws `invalid` if that is not certain. */
export async function chooseLayout(
  session: Session,
  kind: FileKind,
  source: Table,
  flags: FormatFlags,
): Promise<ChosenLayout> {
  const [layout, next] = likelyLayouts(source, kind, flags.named)
  if (layout === undefined) {
    // If the first line has a wrong quote or a NUL, reading it throws an error that says so.
    for await (const _ of source.records(',')) break
    throw invalid(`${source.name} has no header line: the first line names the columns.`, sheetHint(source))
  }
  if (layout.score === 1 && next?.score === 1)
    throw invalid(
      `The column separator of ${source.name} is not certain.`,
      'Name it with --delimiter comma, semicolon, or tab.',
    )
  const { encoding } = source
  if (encoding !== undefined && (encoding !== 'utf-8' || layout.separator !== ','))
    session.notice(`Read as ${encoding}, separated by ${own(separatorNames, layout.separator)}.`)
  const preset = wantedPreset(source, layout, flags)
  const { values: header, line: headerLine } = layout.header
  const columns =
    preset === undefined
      ? columnsOfOwn(session, kind, source, layout, flags)
      : columnsOfPreset(session, kind, source, preset, header, flags)
  const { set, shipped } = flags
  const toFill = kind.fromCatalog === undefined ? [] : [[kind.fromCatalog, ''] as const]
  const onlySet = [...new Map([...toFill, ...set])].filter(([ours]) => columns[ours] === undefined)
  const constants = onlySet.map(([ours, text]) => [ours, { constant: text }] as const)
  const plan = { header, columns: [...Object.entries(columns), ...constants], given: set, preset, shipped }
  return { separator: layout.separator, headerLine, above: linesAbove(layout, source.name), plan }
}

function wantedPreset(source: Table, layout: Layout, { preset, isOwn }: FormatFlags): Preset | undefined {
  if (preset === undefined) return isOwn ? undefined : layout.preset
  const lacking = lackingIn(layout.header.values, preset)
  if (lacking.length === 0) return preset
  const names = lacking.map((name) => [name].flat().join(' or ')).join(', ')
  throw invalid(
    `${source.name} is not the export ${preset.title}: its header lacks ${names}.`,
    `See: custody presets show ${preset.name}`,
  )
}

function columnsOfPreset(
  session: Session,
  kind: FileKind,
  { name }: Table,
  preset: Preset,
  header: readonly string[],
  { named, set }: FormatFlags,
): Record<string, Rule> {
  if (preset.kind !== kind.name)
    throw invalid(
      `${name} is the export ${preset.title}, which is not for this command.`,
      `Use: custody ${imports[preset.kind].command} ${name}`,
    )
  const { columns: added = [], how }: Partial<NonNullable<Preset['added']>> = preset.added ?? {}
  const without = lackingIn(header, { header: added })
  if (without.length > 0)
    throw invalid(`${name} is the export ${preset.title}, which lacks ${without.join(' and ')}.`, how)
  const renamed = named.renamed.map(([theirs, ours]) => [ours, columnNamed(header, theirs)] as const)
  const columns: Record<string, Rule> = { ...preset.columns, ...Object.fromEntries(renamed) }
  const quantity = findColumn(header, 'quantity')
  const isUsed = findColumn(Object.values(columns).flatMap(columnsOf), 'quantity') !== undefined
  if (kind.columns.known.includes('quantity') && !isUsed && quantity) columns.quantity ??= quantity
  for (const [ours, rule] of Object.entries(columns))
    if (columnsOf(rule).some((theirs) => findColumn(named.ignored, theirs) !== undefined))
      delete columns[ours]
  const lacking = kind.columns.required.filter((ours) => columns[ours] === undefined && !set.has(ours))
  if (lacking.length > 0)
    throw invalid(
      `${name} is the export ${preset.title}, which lacks ${lacking.join(', ')}.`,
      `Give a value for each: ${lacking.map((ours) => `--set ${ours}=...`).join(' ')}`,
    )
  const used = new Set(Object.values(columns).flatMap(columnsOf).map(nameKey))
  const keys = header.map(nameKey)
  const twice = header.find((_, at) => used.has(keys[at] ?? '') && keys.indexOf(keys[at] ?? '') < at)
  if (twice !== undefined) throw invalid(`${name} has the column ${twice} twice.`, 'Delete one of them.')
  const unneeded = keys.filter((key) => key !== '' && !used.has(key)).length
  session.notice(`Recognised: ${preset.title}; ${counted(unneeded, 'column is', 'columns are')} not needed.`)
  return columns
}

function sheetHint({ otherSheets }: Table): string | undefined {
  if (otherSheets.length === 0) return undefined
  return `If the rows are on another sheet, name it with --sheet: ${otherSheets.slice(0, 5).map(quoted).join(', ')}.`
}

function columnsOfOwn(
  session: Session,
  kind: FileKind,
  table: Table,
  { header, own, preset }: Layout,
  { named, isOwn }: FormatFlags,
): Record<string, Rule> {
  for (const [theirs] of named.renamed) columnNamed(header.values, theirs)
  if (!fits(own)) {
    if (!isOwn) rejectOtherImport(kind, table.name, header.values)
    else if (preset?.kind === kind.name)
      throw invalid(
        `${table.name} is the export ${preset.title}, and --map and --ignore-columns alone describe a file of your own.`,
        `Add: --from ${preset.name}`,
      )
    throw headerRejection(kind, table.name, header.values, own, sheetHint(table))
  }
  const understood = own.understood.map(([theirs, ours]) => `${visible(theirs.trim())} as ${ours}`)
  if (understood.length > 0) session.notice(`Understood: ${understood.join(', ')}.`)
  return own.columns
}

function rejectOtherImport(kind: FileKind, file: string, values: readonly string[]): void {
  const header = values.map((name) => name.trim().toLowerCase())
  const isIts = ({ columns }: { columns: CsvColumns }): boolean =>
    headerFaults(header, { ...columns, ignored: errorColumns }).length === 0
  const other = kind.name !== 'arrivals' && Object.values(imports).find(isIts)
  if (other)
    throw invalid(`${file} has the columns of another import.`, `Use: custody ${other.command} ${file}`)
}
