import { closeSync, fdatasyncSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { isUuid } from '../../domain/uuid.ts'
import { runtime } from '../../runtime/runtime.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { asUmask, replaceFile } from '../base/durable-file.ts'
import { faultText, unwritable } from '../base/system-fault.ts'
import type { OutputFile } from './output-file.ts'

/** Where a reader of the log stands: after this event, or before the first (null). */
type Cursor = string | null

/**
 * The cursor that the file holds, of what is printed to `output` only as far as that has it; undefined where there is no
 * file yet. Throws `invalid` on a file that is damaged or
 * belongs to another target: going on from anywhere else would skip events.
 */
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

/** Saves a reader's place in a file. */
export type CursorWriter = {
  /**
   * Whoever kills the process after this call finds the cursor in the file. A power cut may put it back by what was
   * saved in the last `syncMs`, never before what was printed: that is on the disk first.
   */
  save(after: Cursor): void
  close(): void
}

/** Milliseconds within which what was saved is on the disk. Each save by itself: ten thousand events took 12 s, not 0.3. */
const syncMs = 100

/** Writes nothing before the first save. `output`: the file that everything is printed to. */
export function openCursor(file: string, target: string, output: OutputFile | undefined): CursorWriter {
  let open: { descriptor: number; length: number } | undefined
  /** The last cursor saved, and the last one that is on the disk with its output. */
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
    // Overwrites the record within one sector, so that a crash leaves the old one or the new one.
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
        callOff ??= runtime.after(syncMs, () => quietly(sync), true)
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

/** What cannot be written to the disk now is tried again by the next save, which reports it. */
function quietly(task: () => void): void {
  try {
    task()
  } catch {}
}

/** `printed` and `bytes`: of a reader that prints to a file, what may not be on the disk yet, and how long that file is with it. */
type Saved = { after: Cursor; target: string; printed?: Cursor; bytes?: number }

/** Of a UUID in quotes; and of one more with the length of a file: with blanks behind them, all records of a file are of one length. */
const [idWidth, printedWidth] = [38, 76]

function recordOf(saved: Saved, isPrinted: boolean): Buffer {
  const { after, target, ...printed } = saved
  const text = JSON.stringify({ after, ...printed, target })
  const width =
    JSON.stringify({ target }).length + '"after":,'.length + idWidth + (isPrinted ? printedWidth : 0)
  return Buffer.from(`${text.padEnd(width)}\n`)
}

/** Whether the file was removed or replaced, so that what is written to it would be lost. */
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
  try {
    const { after, target, printed, bytes = 0 } = JSON.parse(text) as Saved
    if (typeof target !== 'string' || !isCursor(after)) return undefined
    return { after, target, bytes, ...(isCursor(printed) && { printed }) }
  } catch {
    return undefined
  }
}

function isCursor(value: unknown): value is Cursor {
  return value === null || (typeof value === 'string' && isUuid(value))
}
