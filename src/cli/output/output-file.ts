import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../base/cli-error.ts'
import { asUmask, replaceFile } from '../base/durable-file.ts'
import type { Io } from '../base/io.ts'
import { unwritable } from '../base/system-fault.ts'

const byteOrderMark = '\ufeff'

export const stdoutName = '-'

/** Replaces only a file that begins with `opening`, as custody wrote it; `-` is stdout. Throws `usage` for any other file. */
export function writeOutputFile(io: Io, file: string, text: string, opening: string): void {
  if (file === stdoutName) io.out.write(text, true)
  else replaceOwnFile(io, file, text, opening)
}

/** For commands in which `-` is a file name. */
export function replaceOwnFile({ cwd }: Io, file: string, data: string | Uint8Array, opening: string): void {
  const path = resolve(cwd, file)
  let mayBe = false
  try {
    mayBe = isOwn(path, opening)
    if (mayBe) replaceFile(path, data, asUmask)
  } catch (error) {
    throw unwritable(file, error)
  }
  if (mayBe) return
  throw usage(
    `${file} already exists and is not a file that this command writes; it was not changed.`,
    'Name another file, or delete that one.',
  )
}

/** Devices and pipes can always be written to. */
function isOwn(path: string, opening: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size === 0) return true
  const bytes = Buffer.alloc(Buffer.byteLength(byteOrderMark + opening))
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return unmarked(bytes.toString()).startsWith(unmarked(opening))
}

function unmarked(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
}
