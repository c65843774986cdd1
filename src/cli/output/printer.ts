import { usage } from '../base/cli-error.ts'
import type { Style } from '../base/colours.ts'
import type { Io, Outlet } from '../base/io.ts'
import { styleFor } from '../base/style.ts'
import { chooseColumns } from './choose-columns.ts'
import type { Column, View } from './columns.ts'
import type { CsvForm } from './csv-text.ts'
import { fitTo } from './fit-to.ts'
import { type Format, formatOf, type OutputOptions } from './format.ts'
import type { Paged } from './pager.ts'
import { type RowWriter, rowWriter } from './row-writer.ts'

/** Prints data on stdout, in the requested format. */
export type Printer = {
  readonly format: Format
  readonly isJson: boolean
  readonly style: Style
  /** Starts a list. */
  list(view: View): RowWriter
  /** Prints a whole list. */
  all(rows: readonly unknown[], view: View): Promise<void>
  /** Prints one record with its parts; as CSV, its main part's rows where it has one. Throws `usage`. */
  one(record: unknown, view: View): Promise<void>
  /** Prints text unchanged. */
  text(text: string): void
}

/** `paged`: where lists and records go instead of the streams of `io`. */
export async function createPrinter(
  io: Io,
  options: OutputOptions,
  paged?: Paged,
  csv?: CsvForm,
): Promise<Printer> {
  const { err } = paged ?? io
  const fitted = await fitTo(err)
  const format = formatOf(options, io.out.isTerminal)
  const jq = await jqFor(options, (paged ?? io).out)
  const out = jq?.out ?? (paged ?? io).out
  const style = await styleFor(io.out, io.env, options.color !== false)
  const list = (view: View): RowWriter => {
    if (options.excel && format !== 'csv') throw usage('--excel is for CSV: add --output csv.')
    const writer = rowWriter({
      format,
      out,
      columns: columnsFor(format, view, options.columns),
      isChosen: options.columns !== undefined,
      ...(view.bar && options.columns === undefined && { bar: view.bar }),
      hasHeader: options.header !== false,
      isRaw: options.raw === true,
      ...(csv && { csv }),
      style,
      onHidden: (names) => {
        const text = `not shown for want of room: ${names.join(', ')}; choose with --columns`
        err.write(`${style.dim(fitted(text))}\n`)
      },
    })
    if (jq !== undefined) return filteredWriter(writer, jq, format)
    if (paged === undefined) return writer
    return { push: (rows) => writer.push(rows).then(paged.out.drained), end: writer.end }
  }
  const all: Printer['all'] = async (rows, view) => {
    const writer = list(view)
    await writer.push(rows)
    await writer.end()
  }
  return {
    format,
    isJson: format === 'json' || format === 'ndjson',
    style,
    list,
    all,
    one: async (record, view) => {
      const { printRecord } = await import('./record.ts')
      await printRecord(record, view, { format, out, style, all, options })
      await jq?.flush()
    },
    text: (text) => io.out.write(text),
  }
}

/** CSV has other columns than the formats for reading; --columns may name those of either. */
function columnsFor(format: Format, view: View, wanted: string | undefined): readonly Column[] {
  const { columns, csv = [] } = view
  const isFile = format === 'csv' && view.csv !== undefined
  if (wanted === undefined) return isFile ? csv : columns
  return chooseColumns({ ...view, columns: isFile ? [...csv, ...columns] : [...columns, ...csv] }, wanted)
}

type Jq = { out: Outlet; flush(): Promise<void> }

/** Loaded on demand: jq is a megabyte. */
async function jqFor({ jq }: OutputOptions, to: Outlet): Promise<Jq | undefined> {
  return jq === undefined ? undefined : (await import('./jq.ts')).jqOutlet(jq, to)
}

/** Lines go through jq one by one, an array when it is complete. */
function filteredWriter(writer: RowWriter, { flush }: Jq, format: Format): RowWriter {
  return {
    async push(rows) {
      await writer.push(rows)
      if (format === 'ndjson') await flush()
    },
    async end() {
      await writer.end()
      await flush()
    },
  }
}
