import { closeSync, fdatasyncSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { parsedJson } from '../../contract/call.ts'
import { isUuid } from '../../domain/uuid.ts'
import { runtime } from '../../runtime/runtime.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { asUmask, replaceFile } from '../base/durable-file.ts'
import { faultText, ifPossible, unwritable } from '../base/system-fault.ts'

/** The id of the last event handled; null before the first. */
type Cursor = string | null

/** Undefined without a file. Throws `invalid` on a damaged file or another target's: resuming elsewhere would skip events. */
export function readCursor(file: string, target: string, output?: OutputFile): Cursor | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  const saved = parse(text)
  if (saved === undefined) {
    throw new CliError('invalid', `The cursor file ${file} is damaged; nothing was read.`, {
      hint: 'Correct it, or delete it and choose a start with --since.',
    })
  }
  if (saved.target !== target) {
    throw new CliError('invalid', `The cursor file ${file} belongs to another target; nothing was read.`, {
      hint: 'Use one cursor file for each target.',
    })
  }
  const { after, printed, bytes } = saved
  return printed !== undefined && output?.holds(bytes) ? printed : after
}

export type CursorWriter = {
  /** Survives a kill. A power cut may undo the saves of the last `syncMs`, but output reaches the disk before its cursor. */
  save(after: Cursor): void
  close(): void
}

/** Milliseconds between syncs to disk. Syncing every save took 12 s instead of 0.3 s for ten thousand events. */
const syncMs = 100

/** Writes nothing before the first save. `output`: the file that events are printed to, if any. */
export function openCursor(file: string, target: string, output: OutputFile | undefined): CursorWriter {
  let open: { descriptor: number; length: number } | undefined
  /** The last cursor saved, and the last one on disk together with its output. */
  let [last, onDisk]: [Cursor, Cursor] = [null, null]
  let isSynced = true
  let syncedAt = Number.NEGATIVE_INFINITY
  let callOff: (() => void) | undefined

  const write = (record: Buffer): void => {
    if (open === undefined || open.length !== record.length || isRemoved(open.descriptor)) {
      if (open !== undefined) closeSync(open.descriptor)
      open = undefined
      replaceFile(file, record, asUmask)
      open = { descriptor: openSync(file, 'r+'), length: record.length }
    }
    // Overwrites the record within one sector, so a crash leaves either the old one or the new one.
    else writeSync(open.descriptor, record, 0, record.length, 0)
  }
  const sync = (): void => {
    callOff?.()
    callOff = undefined
    if (isSynced) return
    output?.sync()
    onDisk = last
    write(recordOf({ after: last, target }, output !== undefined))
    if (open !== undefined) fdatasyncSync(open.descriptor)
    isSynced = true
    syncedAt = runtime.uptime()
  }
  return {
    save(after) {
      inWords(file, () => {
        last = after
        isSynced = false
        if (runtime.uptime() - syncedAt >= syncMs) return sync()
        const printed = output && { printed: last, bytes: output.bytes() }
        write(recordOf({ after: output ? onDisk : last, target, ...printed }, output !== undefined))
        // The next save retries a failed sync, and reports the error.
        callOff ??= runtime.after(syncMs, () => ifPossible(sync), true)
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

/** If events are printed to a file, `printed` may not be on disk yet; `bytes` is that file's length including it. */
type Saved = { after: Cursor; target: string; printed?: Cursor; bytes?: number }

/** A quoted UUID; another one plus a file length. Padding to these widths makes all records of a file equally long. */
const [idWidth, printedWidth] = [38, 76]

function recordOf(saved: Saved, isPrinted: boolean): Buffer {
  const { after, target, ...printed } = saved
  const text = JSON.stringify({ after, ...printed, target })
  const width =
    JSON.stringify({ target }).length + '"after":,'.length + idWidth + (isPrinted ? printedWidth : 0)
  return Buffer.from(`${text.padEnd(width)}\n`)
}

/** True if the file was removed or replaced: writes to it would be lost. */
function isRemoved(descriptor: number): boolean {
  return fstatSync(descriptor).nlink === 0
}

function inWords(file: string, task: () => void): void {
  try {
    task()
  } catch (error) {
    throw unwritable(`The cursor file ${file}`, error)
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw usage(`The cursor file ${file} cannot be read: ${faultText(error)}.`)
  }
}

function parse(text: string): (Saved & { bytes: number }) | undefined {
  const { after, target, printed, bytes = 0 }: Partial<Saved> = parsedJson(text) ?? {}
  if (typeof target !== 'string' || !isCursor(after)) return undefined
  return { after, target, bytes, ...(isCursor(printed) && { printed }) }
}

function isCursor(value: unknown): value is Cursor {
  return value === null || (typeof value === 'string' && isUuid(value))
}

/** Standard output, if it is a file: what was printed is safe only once it is on disk. */
type OutputFile = {
  bytes(): number
  sync(): void
  /** True if the file still has this many bytes and the last is not zero: a power cut leaves fewer, or zeros. */
  holds(bytes: number): boolean
}

export function outputFile(): OutputFile | undefined {
  try {
    if (!fstatSync(1).isFile()) return undefined
  } catch {
    return undefined
  }
  return {
    bytes: () => fstatSync(1).size,
    sync: () => fdatasyncSync(1),
    holds: (bytes) => bytes === 0 || (endOfOutput(bytes, 1).at(-1) ?? 0) !== 0,
  }
}

/** `length` bytes before position `to`; none if the file is shorter or unreadable. */
export function endOfOutput(to: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  // A descriptor opened for appending cannot be read, so the file is opened again.
  const descriptor = ifPossible(() => openSync('/proc/self/fd/1', 'r'))
  if (descriptor === undefined) return Buffer.alloc(0)
  const read = ifPossible(() => readSync(descriptor, bytes, 0, length, to - length)) ?? 0
  closeSync(descriptor)
  return bytes.subarray(0, read)
}
