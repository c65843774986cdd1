import { usage } from '../base/cli-error.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import type { Column, View } from './columns.ts'

type Choice = Pick<View, 'columns' | 'fields'>

/** The columns that an option names, in its order; the view's own where it is not given. Throws `usage`. */
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
  if (view.fields?.().includes(name)) return { name, ...(name.endsWith('_at') && { kind: 'time' }) }
  const known = columnNames(view)
  throw usage(
    `${option}: there is no column "${name}".`,
    didYouMean(name, known, `The columns are ${known.join(', ')}.`),
  )
}

/** Every name that may be given. */
export function columnNames({ columns, fields }: Choice): string[] {
  return [...new Set([...columns.map(({ name }) => name), ...(fields?.() ?? [])])]
}
