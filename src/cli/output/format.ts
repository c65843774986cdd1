import { usage } from '../base/cli-error.ts'

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const
export type Format = (typeof formats)[number]

export type OutputOptions = {
  output?: Format
  json?: boolean
  columns?: string
  /** For a record with lines, to which `columns` applies. */
  summaryColumns?: string
  /** commander sets these to false for --no-color, --no-header and --no-pager. */
  color?: boolean
  header?: boolean
  pager?: boolean
  raw?: boolean
  excel?: boolean
  jq?: string
}

/** Excel recognises UTF-8 by the byte-order mark, and splits at the separator of its language. */
export type CsvForm = { separator: ',' | ';'; hasMark: boolean }

export const plainCsv: CsvForm = { separator: ',', hasMark: false }

/** Default: a table on a terminal, tab-separated text in a pipe. */
export function formatOf(options: OutputOptions, isTerminal: boolean): Format {
  if (options.json && options.output !== undefined && options.output !== 'json') {
    throw usage(`--json and --output ${options.output} contradict each other; give one of them.`)
  }
  if (options.excel && options.output !== undefined && options.output !== 'csv')
    throw usage(`--excel is for CSV, but --output ${options.output} is not; leave one of them out.`)
  if (options.json) return 'json'
  const format = options.output ?? (options.jq !== undefined ? 'json' : isTerminal ? 'table' : 'tsv')
  if (options.jq === undefined || isJson(format)) return format
  throw usage(`--jq needs JSON, and --output ${format} is not JSON; leave one of them out.`)
}

export function isJson(format: Format): boolean {
  return format === 'json' || format === 'ndjson'
}
