import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { csvLine } from './csv-text.ts'
import { errorColumns } from './import-options.ts'

/** A row that failed, with its cells as they stand in the file. */
export type FailedRow = { row: number; code: string; message: string; values: readonly string[] }

export type ErrorsFile = {
  /** As the operator knows it. */
  readonly name: string
  write(rows: readonly FailedRow[]): void
  /** Bytes so far; 0 while no row has failed and the file is not there. */
  bytes(): number
  close(): void
}

/** Spreadsheets read UTF-8 by it; an import skips it. */
const byteOrderMark = '\ufeff'

/**
 * The file of failed rows: the original columns, then row, code and message. It is made with the first failed row, so
 * that a good import leaves none. `from`: the bytes of an earlier part of the same import that are kept.
 */
export function openErrorsFile(
  cwd: string,
  name: string,
  header: readonly string[],
  from: number,
): ErrorsFile {
  const path = resolve(cwd, name)
  const kept = header.map((name, at) => ({ name, at })).filter(({ name }) => !isOurs(name))
  let descriptor: number | undefined
  let size = from
  const open = (): number => {
    const opened = openSync(path, from > 0 ? 'r+' : 'w')
    ftruncateSync(opened, from)
    descriptor = opened
    if (from === 0) append(byteOrderMark + csvLine([...kept.map(({ name }) => name), ...errorColumns]))
    return opened
  }
  const append = (text: string): void => {
    const bytes = Buffer.from(text)
    writeSync(descriptor ?? open(), bytes, 0, bytes.length, size)
    size += bytes.length
  }
  return {
    name,
    bytes: () => size,
    write(rows) {
      if (rows.length === 0) return
      try {
        descriptor ??= open()
        append(rows.map((row) => csvLine([...cellsOf(row, kept, header.length), ...faultOf(row)])).join(''))
      } catch (error) {
        throw usage(
          `${name} cannot be written: ${(error as Error).message}.`,
          'Name another file with --errors.',
        )
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/**
 * A name that no file has: a file of failed rows may have been corrected since. `a.errors.csv`, else `a.errors.2.csv` and
 * so on. What is empty or no file at all may be written to.
 */
export function freeName(cwd: string, name: string): string {
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : name.replace(/(\.[^./\\]+)?$/, (end) => `.${number}${end}`)
    const stat = statSync(resolve(cwd, numbered), { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size === 0) return numbered
  }
}

/** Whether the first bytes of the file look as they were acknowledged: they end with a record. */
export function isKept(path: string, bytes: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (bytes === 0) return !stat?.isFile() || stat.size === 0
  return stat !== undefined && stat.size >= bytes && readFileSync(path)[bytes - 1] === 10
}

/**
 * Where the failed rows are in the end; undefined where there are none. Where the file that was wanted was there before,
 * it stays as it is; another is kept beside it only if it tells of something new.
 */
export function settleErrorsFile(
  { io, notice }: Session,
  wanted: string,
  errors: ErrorsFile,
  isNothingNew: boolean,
): string | undefined {
  if (errors.bytes() === 0) return undefined
  if (errors.name === wanted) return wanted
  const [before, after] = [wanted, errors.name].map((name) => readFileSync(resolve(io.cwd, name)))
  const isSame = before?.equals(after ?? Buffer.alloc(0)) === true
  if (isSame || isNothingNew) rmSync(resolve(io.cwd, errors.name))
  if (isSame) return wanted
  if (isNothingNew) {
    notice(`${wanted} was there already and was left as it is, since nothing new was sent.`)
    return wanted
  }
  notice(`${wanted} was there already, with other rows, and was left as it is: see ${errors.name}`)
  return errors.name
}

function isOurs(name: string): boolean {
  return (errorColumns as readonly string[]).includes(name)
}

/** Fields beyond the header's are joined to the last one: nothing that the operator wrote is lost. */
function cellsOf({ values }: FailedRow, kept: ReadonlyArray<{ at: number }>, width: number): string[] {
  const surplus = values.slice(width)
  return kept.map(({ at }) => {
    const value = values[at] ?? ''
    return at === width - 1 && surplus.length > 0 ? [value, ...surplus].join(',') : value
  })
}

function faultOf({ row, code, message }: FailedRow): string[] {
  return [String(row), code, message]
}
