import { type Command, Option } from 'commander'
import { closestName } from '../../domain/closest-name.ts'
import type { CsvColumns } from '../../domain/csv/csv-header.ts'
import { usage } from '../base/cli-error.ts'
import { type IdempotentOptions, idempotent } from '../connection/idempotency.ts'
import { errorColumns, guarded } from './csv-text.ts'

export type ImportOptions = IdempotentOptions & {
  dryRun?: boolean
  map?: string[]
  ignoreColumns?: string
  errors?: string
  again?: boolean
  /** False for --no-lint. */
  lint?: boolean
}

/** The flags of every command that takes a CSV file. */
export function defineImport(command: Command): Command {
  command
    .option('--dry-run', 'check the file here and send nothing')
    .option('--map <theirs=ours>', 'the file calls a column something else; may be repeated', collect)
    .option('--ignore-columns <names>', 'columns not to send, separated by commas')
    .option('--no-lint', 'send also what a spreadsheet seems to have damaged')
    .option('--errors <file>', 'where failed rows are written (default: FILE.errors.csv)')
    .addOption(new Option('--again', 'send anew on purpose what was sent before').conflicts('resume'))
  return idempotent(command)
}

/** The columns of a file as the flags name them. Throws `usage`. */
export function columnsFor(columns: CsvColumns, options: ImportOptions): CsvColumns {
  const ignored = (options.ignoreColumns ?? '').split(',').map((name) => name.trim().toLowerCase())
  const named = ignored.filter((name) => name !== '')
  const renamed = (options.map ?? []).map((text) => renaming(text, columns))
  const [both] = renamed.find(([theirs]) => ignored.includes(theirs.toLowerCase())) ?? []
  if (both !== undefined) throw usage(`--map and --ignore-columns both name "${both}".`)
  return {
    ...columns,
    ignored: [...errorColumns, ...new Set(named.flatMap((name) => [name, guarded(name)]))],
    renamed: Object.fromEntries(renamed),
  }
}

/** What decides, beside the file's bytes, which rows are sent. */
export function optionsFingerprint({ map = [], ignoreColumns = '', lint }: ImportOptions): string {
  return JSON.stringify([[...map].sort(), ignoreColumns, lint !== false])
}

function renaming(text: string, { known }: CsvColumns): [string, string] {
  const at = text.lastIndexOf('=')
  const theirs = text.slice(0, Math.max(at, 0)).trim()
  const ours = text
    .slice(at + 1)
    .trim()
    .toLowerCase()
  if (theirs === '' || ours === '') {
    throw usage(`--map: "${text}" is not of the form theirs=ours.`, 'As in --map "Cert No=cert_number"')
  }
  if (known.includes(ours)) return [theirs, ours]
  const meant = closestName(ours, known)
  throw usage(
    `--map: there is no column "${ours}".`,
    meant === null ? `The columns are ${known.join(', ')}.` : `Did you mean ${meant}?`,
  )
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
