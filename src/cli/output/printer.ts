import type { Io, Outlet } from '../base/io.ts'
import { type Style, styleFor } from '../base/style.ts'
import { checkColumns, checkShownOnce, columnsFor } from './choose-columns.ts'
import type { View } from './columns.ts'
import { fitTo } from './fit-to.ts'
import { type CsvForm, type Format, formatOf, isJson, type OutputOptions } from './format.ts'
import type { Faults, JqOutlet } from './jq.ts'
import type { Paged } from './pager.ts'
import { type RowWriter, rowWriter } from './row-writer.ts'

export type Printer = {
  readonly format: Format
  readonly isJson: boolean
  /** True if JSON prints the wire's own object, because no columns are chosen. */
  readonly isWhole: boolean
  readonly style: Style
  list(): RowWriter
  all(rows: readonly unknown[]): Promise<void>
  /** As CSV, prints the rows of the record's main part, if any. */
  one(record: unknown): Promise<void>
  text(text: string): void
}

/** `paged` replaces the streams of `io` for lists and records. `isWriting`: whether something was already changed. */
type Means = { paged?: Paged | undefined; csv?: CsvForm | undefined; isWriting?: () => boolean }

/** Throws `usage` if columns, format or jq program do not fit, before the command does anything. */
export async function createPrinter(
  io: Io,
  options: OutputOptions,
  view: View,
  { paged, csv, isWriting = () => false }: Means = {},
): Promise<Printer> {
  const { err } = paged ?? io
  const fitted = await fitTo(err)
  const format = formatOf(options, io.out.isTerminal)
  checkColumns(view, format, options)
  const warn = (text: string): void => err.write(`${fitted(text)}\n`)
  const jq = await jqFor(options, (paged ?? io).out, { isWriting, warn })
  await checkShownOnce(view, format, options)
  const out = jq?.out ?? (paged ?? io).out
  const style = await styleFor(io.out, io.env)
  const errStyle = await styleFor(io.err, io.env)
  const listOf = (shown: View): RowWriter => {
    const writer = rowWriter({
      format,
      out,
      columns: columnsFor(format, shown, options.columns),
      isChosen: options.columns !== undefined,
      ...(shown.bar && options.columns === undefined && { bar: shown.bar }),
      hasHeader: options.header !== false,
      isRaw: options.raw === true,
      ...(csv && { csv }),
      style,
      onHidden: (names) => {
        if (io.isQuiet) return
        // --columns applies to the record or its main part only.
        const way = shown === view || 'isMain' in shown ? 'choose with --columns' : 'see --json'
        const text = `no room for ${names.join(', ')}; ${way}`
        err.write(`${errStyle.dim(fitted(text))}\n`)
      },
    })
    if (jq !== undefined) return filteredWriter(writer, jq, format)
    if (paged === undefined) return writer
    return { push: (rows) => writer.push(rows).then(paged.out.drained), end: writer.end }
  }
  const all = async (rows: readonly unknown[], shown: View): Promise<void> => {
    const writer = listOf(shown)
    await writer.push(rows)
    await writer.end()
  }
  const isForPrograms = isJson(format)
  return {
    format,
    isJson: isForPrograms,
    isWhole: isForPrograms && options.columns === undefined,
    style,
    list: () => listOf(view),
    all: (rows) => all(rows, view),
    one: async (record) => {
      const { printRecord } = await import('./record.ts')
      await printRecord(record, view, { format, out, style, all, options })
      await jq?.flush()
    },
    text: (text) => io.out.write(text),
  }
}

/** Loaded on demand: jq is a megabyte. */
async function jqFor({ jq }: OutputOptions, to: Outlet, faults: Faults): Promise<JqOutlet | undefined> {
  return jq === undefined ? undefined : (await import('./jq.ts')).openJq(jq, to, faults)
}

/** Lines go through jq one by one, an array once it is complete. */
function filteredWriter(writer: RowWriter, { flush }: JqOutlet, format: Format): RowWriter {
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
