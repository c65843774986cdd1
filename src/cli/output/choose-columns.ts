import { didYouMean, usage } from '../base/cli-error.ts'
import { type Column, kindNamed, type Part, type View } from './columns.ts'
import type { Format, OutputOptions } from './format.ts'

type Choice = Pick<View, 'columns' | 'fields'>

/** Throws `usage` if an option names a column that the view lacks, or the format cannot show what it asks for. */
export function checkColumns(view: View, format: Format, { columns, summaryColumns }: OutputOptions): void {
  const main = mainPart(view)
  columnsFor(format, main ?? view, columns)
  if (main === undefined) return
  chooseColumns(view, summaryColumns, '--summary-columns')
  if (format === 'csv' && columns !== undefined && summaryColumns !== undefined)
    throw usage(
      'CSV is one table: give --columns for the lines or --summary-columns for the fields above them.',
    )
}

/** CSV has other columns than the formats for people; --columns may name those of either. */
export function columnsFor(format: Format, view: View, wanted: string | undefined): readonly Column[] {
  const { columns, csv = [] } = view
  const isFile = format === 'csv' && view.csv !== undefined
  if (wanted === undefined) return isFile ? csv : columns
  return chooseColumns({ ...view, columns: isFile ? [...csv, ...columns] : [...columns, ...csv] }, wanted)
}

export function mainPart({ parts }: View): Part | undefined {
  return parts?.find(({ isMain }) => isMain)
}

/** In the option's order; without the option, the view's own columns. Throws `usage`. */
export function chooseColumns(
  view: Choice,
  wanted: string | undefined,
  option = '--columns',
): readonly Column[] {
  if (wanted === undefined) return view.columns
  const names = wanted.split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  if (given.length === 0) throw usage(`${option} needs the names of columns, separated by commas.`)
  return given.map((name) => columnNamed(view, name, option))
}

function columnNamed(view: Choice, name: string, option: string): Column {
  const own = view.columns.find((column) => column.name === name)
  if (own) return own
  if (view.fields?.().some((field) => field === name)) return { name, ...kindNamed(name) } as Column
  const known = columnNames(view)
  throw usage(
    `${option}: there is no column "${name}".`,
    didYouMean(name, known, `The columns are ${known.join(', ')}.`),
  )
}

export function columnNames({ columns, fields }: Choice): string[] {
  return [...new Set([...columns.map(({ name }) => name), ...(fields?.() ?? [])])]
}

/** Identifies a sample's secret in the output of any jq program. */
export const sampleMark = 'SHOWNONCE'

/** Throws `usage` if --columns or --jq would lose a secret that is shown only once. If jq fails, the whole result is printed. */
export async function checkShownOnce(view: View, format: Format, options: OutputOptions): Promise<void> {
  if (view.shownOnce === undefined) return
  const { field, sample } = view.shownOnce
  const shown = columnsFor(format, view, options.columns).map(({ name }) => name)
  if (!shown.includes(field)) throw leftOut('--columns', `Add ${field} to the columns.`)
  if (options.jq === undefined) return
  const { jqText } = await import('./jq.ts')
  const text = await jqText(JSON.stringify(sample), options.jq).catch(() => sampleMark)
  if (!text.includes(sampleMark)) throw leftOut('--jq', `Print .${field} too.`)

  function leftOut(flag: string, advice: string): Error {
    return usage(`${flag} leaves out the ${field}, which is shown only once.`, advice)
  }
}
