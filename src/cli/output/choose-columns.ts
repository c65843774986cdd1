import { closestName } from '../../domain/closest-name.ts'
import { usage } from '../base/cli-error.ts'
import type { Column, View } from './columns.ts'

/** The columns that --columns names, in its order; the view's own where it is not given. Throws `usage`. */
export function chooseColumns(view: View, wanted: string | undefined): readonly Column[] {
  if (wanted === undefined) return view.columns
  const names = wanted.split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  if (given.length === 0) throw usage('--columns needs the names of columns, separated by commas.')
  return given.map((name) => columnNamed(view, name))
}

function columnNamed(view: View, name: string): Column {
  const own = view.columns.find((column) => column.name === name)
  if (own) return own
  const fields = view.fields?.() ?? []
  if (fields.includes(name)) return { name, ...(name.endsWith('_at') && { kind: 'time' }) }
  const known = [...new Set([...view.columns.map((column) => column.name), ...fields])]
  const meant = closestName(name, known)
  throw usage(
    `--columns: there is no column "${name}".`,
    meant === null ? `The columns are ${known.join(', ')}.` : `Did you mean ${meant}?`,
  )
}
