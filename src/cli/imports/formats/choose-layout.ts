import type { Separator } from '../../../domain/csv/csv-pieces.ts'
import { askChoice } from '../../ask/ask.ts'
import { canAsk } from '../../ask/confirm.ts'
import { invalid } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { visible } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'
import { columnsOf } from './apply-rules.ts'
import type { FileKind } from './file-kind.ts'
import type { FormatFlags } from './format-flags.ts'
import { fits, type Layout, likelyLayouts, linesAbove } from './layout.ts'
import { columnNamed, headerRefusal, nameKey } from './own-columns.ts'
import type { Preset, Rule } from './presets.ts'
import type { Table } from './table.ts'
import type { Plan } from './take-rows.ts'

type ChosenLayout = { separator: Separator /** Of the header. */; line: number; above: number; plan: Plan }

const separatorNames: Readonly<Record<Separator, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

const importCommands = {
  manifest: 'manifests submit',
  products: 'products import',
  fulfillments: 'fulfillments import',
}

/**
 * Finds what separates the columns, where the header is and what it means, and says what it has found. Throws `invalid` where
 * that is not certain, or columns have no meaning.
 */
export async function chooseLayout(
  session: Session,
  kind: FileKind,
  source: Table,
  flags: FormatFlags,
): Promise<ChosenLayout> {
  const layouts = likelyLayouts(source, kind, flags.named)
  const [likeliest, next] = layouts
  if (likeliest === undefined)
    throw invalid(`${source.name} has no header line: the first line names the columns.`)
  const isGuess = likeliest.score === 1 && next?.score === 1
  const layout = isGuess ? await askSeparator(session, source, layouts) : likeliest
  const { encoding } = source
  if (encoding !== undefined && (encoding !== 'utf-8' || layout.separator !== ','))
    session.notice(`Read as ${encoding}, separated by ${separatorNames[layout.separator]}.`)
  const preset = wantedPreset(source, layout, flags)
  const { values: header, line } = layout.header
  const columns =
    preset === undefined
      ? columnsOfOwn(session, kind, source, layout, flags)
      : columnsOfPreset(session, kind, source, preset, header, flags)
  const { set, shipped } = flags
  const onlySet = [...set].filter(([ours]) => columns[ours] === undefined)
  const constants = onlySet.map(([ours, text]) => [ours, { constant: text }] as const)
  const plan = { header, columns: [...Object.entries(columns), ...constants], given: set, preset, shipped }
  return { separator: layout.separator, line, above: linesAbove(layout, source.name), plan }
}

async function askSeparator(session: Session, source: Table, layouts: readonly Layout[]): Promise<Layout> {
  if (!canAsk(session))
    throw invalid(
      `What separates the columns of ${source.name} is not certain.`,
      'Name it with --delimiter comma, semicolon or tab.',
    )
  const message = `What separates the columns of ${source.name}?`
  const separator = await askChoice(session, { flag: '--delimiter', message }, separatorNames)
  return layouts.find((layout) => layout.separator === separator) ?? (layouts[0] as Layout)
}

/** A preset that was named must be the one that the header belongs to. */
function wantedPreset(source: Table, layout: Layout, { preset, isOwn }: FormatFlags): Preset | undefined {
  if (preset === undefined) return isOwn ? undefined : layout.preset
  const keys = layout.header.values.map(nameKey)
  const lacking = preset.header.filter(
    (names) => ![names].flat().some((name) => keys.includes(nameKey(name))),
  )
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
  if (preset.refused !== undefined) throw invalid(`${name} is the ${preset.title}: it ${preset.refused}.`)
  if (preset.kind !== kind.name)
    throw invalid(
      `${name} is the export ${preset.title}, which is not for this command.`,
      `Use: custody ${importCommands[preset.kind]} ${name}`,
    )
  const renamed = named.renamed.map(([theirs, ours]) => [ours, columnNamed(header, theirs)] as const)
  const columns: Record<string, Rule> = { ...preset.columns, ...Object.fromEntries(renamed) }
  for (const [ours, rule] of Object.entries(columns))
    if (columnsOf(rule).some((theirs) => named.ignored.includes(theirs.toLowerCase()))) delete columns[ours]
  const lacking = kind.columns.required.filter((ours) => columns[ours] === undefined && !set.has(ours))
  if (lacking.length > 0)
    throw invalid(
      `${name} is the export ${preset.title}, which lacks ${lacking.join(', ')}.`,
      `Give what they are: ${lacking.map((ours) => `--set ${ours}=...`).join(' ')}`,
    )
  const used = new Set(Object.values(columns).flatMap(columnsOf).map(nameKey))
  const unneeded = header.filter((name) => nameKey(name) !== '' && !used.has(nameKey(name))).length
  session.notice(`Recognised: ${preset.title}; ${counted(unneeded, 'column is', 'columns are')} not needed.`)
  return columns
}

function columnsOfOwn(
  session: Session,
  kind: FileKind,
  { name }: Table,
  { header, own }: Layout,
  { named }: FormatFlags,
): Record<string, Rule> {
  for (const [theirs] of named.renamed) columnNamed(header.values, theirs)
  if (!fits(own)) throw headerRefusal(kind, name, header.values, own)
  const understood = own.understood.map(([theirs, ours]) => `${visible(theirs.trim())} as ${ours}`)
  if (understood.length > 0) session.notice(`Understood: ${understood.join(', ')}.`)
  return own.columns
}
