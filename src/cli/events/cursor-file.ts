import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { CliError, usage } from '../cli-error.ts'
import { isUuid } from '../find-manifest.ts'

/** Where a reader of the log stands: after this event, or before the first (null). */
export type Cursor = string | null

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

/** Saves the cursor: on the disk when the call returns, and never half. */
export function saveCursor(file: string, target: string, after: Cursor): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    const descriptor = openSync(draft, 'w')
    writeSync(descriptor, `${JSON.stringify({ after, target })}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(draft, file)
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
