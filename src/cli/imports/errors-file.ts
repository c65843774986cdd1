import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../cli-error.ts'
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
