import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { usage } from '../base/cli-error.ts'
import { asUmask, moveFile, noWider, replaceFile } from '../base/durable-file.ts'
import { faultText, unwritable } from '../base/system-fault.ts'
import type { Session } from '../command.ts'
import { csvForm } from '../connection/csv-form.ts'
import { csvText, unguarded } from '../output/csv-text.ts'
import { errorColumns } from './formats/own-marks.ts'
import type { ReadyFile } from './formats/ready-file.ts'

/** A failed row, with its cells as in the file. */
export type FailedRow = { row: number; code: string; message: string; values: readonly string[] }

export type ErrorsFile = {
  /** Its name as the operator gave it. */
  readonly name: string
  /** Writes rows to the disk. If that fails, it says so and tries again with the next ones, since other rows were carried out. */
  write(rows: readonly FailedRow[]): void
  /** Bytes on the disk; 0 as long as no row has failed. */
  bytes(): number
  /** Whether rows could not be written. */
  readonly isCut: boolean
}

/** `original`: the columns of the operator's file, `source`, and where they stand in a row, if they are not the header's. */
type ErrorsForm = {
  source: { name: string }
  header: readonly string[]
  original?: ReadyFile['original']
  separator: string
}

/** Where messages go. */
type ErrorsSession = { io: Pick<Session['io'], 'cwd' | 'env'> } & Pick<Session, 'notice' | 'options'>

/** Next to the imported file; for a pipe, such as <(...), in the current folder. */
export function errorsNameOf(file: string): string {
  return `${/^\/(dev|proc)\//.test(file) ? 'pipe' : file}.errors.csv`
}

/** Throws `usage` if --errors names a file that cannot be created, before anything is sent. */
export function checkErrorsFile(cwd: string, name: string | undefined): void {
  if (name === undefined) return
  const path = resolve(cwd, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  // If there is a file already, another is created next to it.
  const isDevice = stat !== undefined && !stat.isFile() && !stat.isDirectory()
  try {
    accessSync(isDevice ? path : `${dirname(path)}/.`, constants.W_OK)
  } catch (error) {
    throw unwritable(`--errors: ${name}`, error, 'Nothing was sent.')
  }
  if (stat?.isDirectory()) throw usage(`--errors: ${name} is a folder; give the path of a file.`)
}

/**
 * The file of failed rows: the original columns, then row, code and message, guarded so that no spreadsheet runs a formula.
 * It is created with the first failed row, so that a good import leaves none. It is separated as Excel is to have it, otherwise as
 * the file that was read; whoever may not read that may not read it.
 */
export function openErrorsFile(
  { io, options, notice }: ErrorsSession,
  name: string,
  { source, header, original, separator: read }: ErrorsForm,
): ErrorsFile {
  const path = resolve(io.cwd, name)
  const kept = original ?? header.map((name, at) => ({ name, at })).filter(({ name }) => !isOurs(name))
  // Guarded once, however often the file comes back: `--ignore-columns` knows a name in both forms.
  const names = [...kept.map(({ name }) => unguarded(name)), ...errorColumns]
  const headOf = (separator: string): string =>
    csvText([names], { separator, hasMark: true, isGuarded: true })
  const { hasMark: isForExcel, separator: wanted } = csvForm(io, options)
  const separator = isForExcel ? wanted : read
  let pending = ''
  let [size, isTold] = [0, false]
  return {
    name,
    bytes: () => size,
    get isCut() {
      return pending !== ''
    },
    write(rows) {
      const cells = rows.map((row) => cellsOf(row, kept, { width: header.length, separator }))
      pending += csvText(cells, { separator, isGuarded: true })
      if (pending === '') return
      try {
        const bytes = Buffer.from(size === 0 ? headOf(separator) + pending : pending)
        if (size === 0) replaceFile(path, bytes, modeLike(resolve(io.cwd, source.name)))
        else writeAt(path, bytes, size)
        size += bytes.length
        pending = ''
      } catch (error) {
        if (!isTold) notice(`Warning: ${name} cannot be written: ${faultText(error)}.`)
        isTold = true
      }
    },
  }
}

/** A pipe says nothing about who may read what came through it. */
function modeLike(source: string): number {
  const stat = statSync(source, { throwIfNoEntry: false })
  return stat?.isFile() ? noWider(asUmask, stat) : asUmask
}

/** Overwrites what the file has from `at` on, which was not acknowledged. */
function writeAt(path: string, bytes: Buffer, at: number): void {
  if (!statSync(path).isFile()) {
    appendFileSync(path, bytes)
    return
  }
  const descriptor = openSync(path, 'r+')
  try {
    ftruncateSync(descriptor, at)
    for (let done = 0; done < bytes.length; )
      done += writeSync(descriptor, bytes, done, bytes.length - done, at + done)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
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

/**
 * Where the failed rows are in the end; undefined if there are none, or not all of them. If the file that was wanted existed
 * before, it stays as it is unless a crash has cut it off, and other failed rows go to a file next to it.
 */
export function settleErrorsFile(
  { io, notice }: ErrorsSession,
  wanted: string,
  errors: ErrorsFile,
): string | undefined {
  if (errors.isCut) {
    notice(
      `Warning: not all failed rows are in ${errors.name}. The same command, with room for them, sends nothing twice and writes them.`,
    )
    return undefined
  }
  if (errors.bytes() === 0) return undefined
  if (errors.name === wanted) return wanted
  const [before, after] = [resolve(io.cwd, wanted), resolve(io.cwd, errors.name)] as const
  const [old, whole] = [readFileSync(before), readFileSync(after)]
  if (isCutOff(old, whole)) {
    moveFile(after, before)
    return wanted
  }
  if (old.equals(whole)) {
    rmSync(after)
    return wanted
  }
  notice(`${wanted} was there already, with other rows, and was left as it is: see ${errors.name}`)
  return errors.name
}

/** What a power cut leaves of a file: its beginning, or zeros in the place of what had not reached the disk. */
function isCutOff(old: Buffer, whole: Buffer): boolean {
  const isBeginning = old.length < whole.length && old.equals(whole.subarray(0, old.length))
  return isBeginning || (old.includes(0) && !whole.includes(0))
}

function isOurs(name: string): boolean {
  return (errorColumns as readonly string[]).includes(name)
}

/** Fields beyond the header's are appended to the last one, so that nothing is lost. */
function cellsOf(
  { row, code, message, values }: FailedRow,
  kept: ReadonlyArray<{ at: number }>,
  { width, separator }: { width: number; separator: string },
): string[] {
  const surplus = values.slice(width)
  const cells = kept.map(({ at }) => {
    const value = values[at] ?? ''
    return at === width - 1 && surplus.length > 0 ? [value, ...surplus].join(separator) : value
  })
  return [...cells, String(row), code, message]
}
