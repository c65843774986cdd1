import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { CliError, usage } from '../base/cli-error.ts'
import { isUuid } from '../find/find-manifest.ts'

/** Where a reader of the log stands: after this event, or before the first (null). */
type Cursor = string | null

/**
 * The cursor that the file holds; undefined where there is no file yet. Throws `invalid` on a file that is damaged or
 * belongs to another target: going on from anywhere else would skip events.
 */
export function readCursor(file: string, target: string): Cursor | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  const saved = parse(text)
  if (saved === undefined) {
    throw new CliError('invalid', `The cursor file ${file} is damaged; nothing was read.`, {
      hint: 'Correct it, or remove it and say where to start with --since.',
    })
  }
  if (saved.target !== target) {
    throw new CliError('invalid', `The cursor file ${file} belongs to another target; nothing was read.`, {
      hint: 'Use one cursor file for each target.',
    })
  }
  return saved.after
}

/** Keeps in a file where its reader stands. */
export type CursorWriter = {
  /**
   * Whoever kills the process after this call finds the cursor in the file. A power cut may put it back by what was
   * saved in the last `syncMs`, never forward.
   */
  save(after: Cursor): void
  close(): void
}

/** Milliseconds within which what was saved is on the disk. Each save by itself: ten thousand events took 12 s, not 0.3. */
const syncMs = 100

/** Writes nothing before the first save. `syncOutput` puts on the disk what the cursor says was done. */
export function openCursor(file: string, target: string, syncOutput: () => void): CursorWriter {
  let open: { descriptor: number; length: number } | undefined
  let isSynced = true
  let syncedAt = 0
  let timer: NodeJS.Timeout | undefined

  const sync = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (open === undefined || isSynced) return
    syncOutput()
    fdatasyncSync(open.descriptor)
    isSynced = true
    syncedAt = performance.now()
  }
  const write = (record: Buffer): void => {
    if (open === undefined || open.length !== record.length || isRemoved(open.descriptor)) {
      if (open !== undefined) closeSync(open.descriptor)
      open = undefined
      open = { descriptor: replaceFile(file, record), length: record.length }
    }
    // Over what stands there, within one block: whoever dies leaves the old one or the new one.
    else writeSync(open.descriptor, record, 0, record.length, 0)
    isSynced = false
  }
  return {
    save(after) {
      inWords(file, () => {
        write(Buffer.from(recordOf(after, target)))
        if (performance.now() - syncedAt >= syncMs) sync()
        else timer ??= setTimeout(() => quietly(sync), syncMs).unref()
      })
    },
    close() {
      inWords(file, () => {
        sync()
        if (open !== undefined) closeSync(open.descriptor)
        open = undefined
      })
    },
  }
}

/** What cannot be put on the disk now is tried again by the next save, which tells of it. */
function quietly(task: () => void): void {
  try {
    task()
  } catch {}
}

/** Characters of a UUID in quotes: with blanks behind it, every record of a file is of one length. */
const idWidth = 38

function recordOf(after: Cursor, target: string): string {
  const cursor = JSON.stringify(after)
  return `{"after":${cursor},"target":${JSON.stringify(target)}}${' '.repeat(Math.max(0, idWidth - cursor.length))}\n`
}

/** The file with these bytes, on the disk; never half. Answers its descriptor. */
function replaceFile(file: string, record: Buffer): number {
  const draft = `${file}.${process.pid}.tmp`
  const descriptor = openSync(draft, 'w')
  try {
    writeSync(descriptor, record)
    fsyncSync(descriptor)
    renameSync(draft, file)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Somebody took the file away, or put another in its place: what is written there would be lost. */
function isRemoved(descriptor: number): boolean {
  return fstatSync(descriptor).nlink === 0
}

function inWords(file: string, task: () => void): void {
  try {
    task()
  } catch (error) {
    throw usage(`The cursor file ${file} cannot be written: ${(error as Error).message}.`)
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw usage(`The cursor file ${file} cannot be read: ${(error as Error).message}.`)
  }
}

function parse(text: string): { after: Cursor; target: string } | undefined {
  try {
    const { after, target } = JSON.parse(text) as { after: unknown; target: unknown }
    if (typeof target !== 'string') return undefined
    if (after === null) return { after, target }
    return typeof after === 'string' && isUuid(after) ? { after, target } : undefined
  } catch {
    return undefined
  }
}
