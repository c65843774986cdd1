import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { once } from '../../contract/once.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { usage } from '../base/cli-error.ts'
import { asUmask, createFile, moveFile, narrowerMode, replaceFile } from '../base/durable-file.ts'
import { faultText, unwritable } from '../base/system-fault.ts'
import type { Session } from '../command.ts'
import { csvForm } from '../connection/csv-form.ts'
import { cellAt, errorColumns, type Located, type ReadyFile } from '../files/file-kind.ts'
import { csvText } from '../output/csv-text.ts'

export type FailedRow = Located<CsvRowError> & { values: readonly string[] }

export type ErrorsFile = {
  /** Writes to disk. A failure is a notice and the next call retries, because other rows were carried out. */
  write(rows: ReadonlyArray<Pick<FailedRow, 'row' | 'message' | 'values'> & { code: string }>): void
  /** The name of the finished file; undefined if it is empty or incomplete. Replaces a file that a crash cut off. */
  settle(): string | undefined
}

type ErrorsSession = { io: Pick<Session['io'], 'cwd' | 'env'> } & Pick<Session, 'notice' | 'options'>

/** Next to the imported file; for a pipe such as <(...), in the current folder. */
export function errorsNameOf(file: string): string {
  return `${/^\/(dev|proc)\//.test(file) ? 'pipe' : file}.errors.csv`
}

/** Throws `usage` if --errors names a file that cannot be created, before anything is sent. */
export function checkErrorsFile(cwd: string, name: string | undefined): void {
  if (name === undefined) return
  const path = resolve(cwd, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  // An existing file is kept; another is created next to it.
  const isDevice = stat !== undefined && !stat.isFile() && !stat.isDirectory()
  try {
    accessSync(isDevice ? path : `${dirname(path)}/.`, constants.W_OK)
  } catch (error) {
    throw unwritable(`--errors: ${name}`, error, 'Nothing was sent.')
  }
  if (stat?.isDirectory()) throw usage(`--errors: ${name} is a folder; give the path of a file.`)
}

/** Created with the first failed row under a new name. Readable by nobody who cannot read the imported file. Guards formulas. */
export function openErrorsFile(
  { io, options, notice }: ErrorsSession,
  wanted: string,
  file: Pick<ReadyFile, 'original' | 'separator'> & { source: { name: string }; header: readonly string[] },
  { again }: { again?: boolean },
): ErrorsFile {
  const given = statSync(resolve(io.cwd, wanted), { throwIfNoEntry: false })
  const isGiven = given !== undefined && (!given.isFile() || given.size === 0)
  const ours: readonly string[] = errorColumns
  const kept = (file.original ?? file.header.map((name, at) => ({ name, at }))).filter(
    ({ name }) => !ours.includes(name),
  )
  const form = csvForm({ io, options })
  const separator: string = form.hasMark ? form.separator : file.separator
  const names = [...kept.map(({ name }) => name), ...errorColumns]
  const width = file.header.length
  let name = wanted
  let pending = ''
  let [size, isTold, isFailed] = [0, false, false]
  const create = (bytes: Buffer): void => {
    const mode = modeLike(resolve(io.cwd, file.source.name))
    if (isGiven && size === 0) replaceFile(resolve(io.cwd, wanted), bytes, mode)
    else name = createNumbered(io.cwd, wanted, bytes, mode)
  }
  return {
    write(rows) {
      const cells = rows.map(({ row, code, message, values }) => {
        return [...kept.map(({ at }) => cellAt(values, at, width, separator)), String(row), code, message]
      })
      pending += csvText(cells, { separator, isGuarded: true })
      if (pending === '') return
      try {
        const head = size > 0 ? '' : csvText([names], { separator, hasMark: true, isGuarded: true })
        const bytes = Buffer.from(head + pending)
        const path = resolve(io.cwd, name)
        if (size === 0) create(bytes)
        else if (!isFailed && isLonger(path, size))
          create(Buffer.concat([readFileSync(path).subarray(0, size), bytes]))
        else writeAt(path, bytes, size)
        size += bytes.length
        pending = ''
        isFailed = false
      } catch (error) {
        isFailed = true
        if (!isTold) notice(`Warning: ${name} cannot be written: ${faultText(error)}.`)
        isTold = true
      }
    },
    settle() {
      if (pending !== '') notice(incompleteText(name, again ? 'without --again' : 'again'))
      if (pending !== '' || size === 0) return undefined
      const found = keptName(io.cwd, wanted, name)
      if (found !== wanted)
        notice(`${wanted} already existed with other rows and was not changed: see ${found}`)
      return found
    },
  }
}

function incompleteText(name: string, how: string): string {
  return `Warning: not all failed rows are in ${name}. Free some space, or name another file with --errors, and run the same command ${how}: it writes them, and sends nothing twice.`
}

/** A pipe does not tell who may read its content. */
function modeLike(source: string): number {
  const stat = statSync(source, { throwIfNoEntry: false })
  return stat?.isFile() ? narrowerMode(asUmask, stat) : asUmask
}

/** Another run, with these rows and more, has put its file in the place of this one. */
function isLonger(path: string, size: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size > size
}

/** A file of failed rows may have been corrected since, or be another run's: the file system decides who has a name. */
function createNumbered(cwd: string, wanted: string, bytes: Buffer, mode: number): string {
  for (let number = 1; ; number++) {
    const name = numbered(wanted, number)
    try {
      createFile(resolve(cwd, name), bytes, mode)
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function keptName(cwd: string, wanted: string, name: string): string {
  const whole = once(() => readFileSync(resolve(cwd, name)))
  for (let number = 1; ; number++) {
    const earlier = numbered(wanted, number)
    if (earlier === name) return name
    if (!isCutOff(resolve(cwd, earlier), whole)) continue
    moveFile(resolve(cwd, name), resolve(cwd, earlier))
    return earlier
  }
}

function numbered(wanted: string, number: number): string {
  return number === 1 ? wanted : wanted.replace(/(\.[^./\\]+)?$/, (end) => `.${number}${end}`)
}

/** Bytes from `at` on were not acknowledged. */
function writeAt(path: string, bytes: Buffer, at: number): void {
  const isDevice = !statSync(path).isFile()
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND)
  try {
    if (!isDevice) ftruncateSync(descriptor, at)
    writeFileSync(descriptor, bytes)
    if (!isDevice) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A power cut leaves the beginning of a file, or zeros in place of bytes that had not reached the disk. */
function isCutOff(path: string, whole: () => Buffer): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
  const bytes = whole()
  return readFileSync(path).every((byte, at) => byte === 0 || byte === bytes[at])
}
