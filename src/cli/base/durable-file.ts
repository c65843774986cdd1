import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { usage } from './cli-error.ts'
import { draftOf, naming, removeDraft } from './drafts.ts'
import { ifPossible } from './system-fault.ts'

export const ownerOnly = 0o600
export const asUmask = 0o666

/** Atomic and durable. Never widens the permissions of the old file. Follows links; writes to devices directly. */
export function replaceFile(path: string, data: string | Uint8Array, mode: number): void {
  const target = behindLinks(path)
  const old = statSync(target, { throwIfNoEntry: false })
  if (old?.isFile() === false) {
    writeFileSync(target, data)
    return
  }
  const draft = draftOf(target)
  try {
    writeNew(draft, data, old ? narrowerMode(mode, old) : mode)
    moveFile(draft, target)
  } catch (error) {
    removeDraft(draft)
    throw naming(target, draft, error)
  }
}

/** Durable. Throws if the name is taken, and leaves no file if the data cannot be written. */
export function createFile(path: string, data: Uint8Array, mode: number): void {
  writeNew(path, data, mode)
  syncFolder(dirname(path))
}

/** Exclusive, so that a link planted under this name is not followed. */
function writeNew(path: string, data: string | Uint8Array, mode: number): void {
  const descriptor = openSync(path, 'wx', mode)
  try {
    writeFileSync(descriptor, data)
    fsyncSync(descriptor)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

export function narrowerMode(mode: number, other: { mode: number }): number {
  return mode & (other.mode | ownerOnly)
}

export function moveFile(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

export function appendToFile(path: string, text: string): void {
  const descriptor = openSync(path, 'a', ownerOnly)
  try {
    appendFileSync(descriptor, text)
    fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Durable, and private to the owner. One by one: Node.js's recursive mkdir never returns in places such as `/proc`. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const absent = [resolve(path)]
  for (let folder = dirname(resolve(path)); !existsSync(folder); folder = dirname(folder))
    absent.unshift(folder)
  for (const folder of absent) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error
    }
    syncFolder(dirname(folder))
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Windows and some file systems cannot sync folders, and need not. */
const unsyncable = new Set(['EINVAL', 'EPERM', 'EISDIR', 'EBADF', 'ENOSYS', 'ENOTSUP', 'EACCES'])

export function syncFolder(folder: string): void {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
  } catch (error) {
    if (!unsyncable.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The file that a write to `path` reaches, even through a link to a file that does not exist yet. */
export function behindLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    // ELOOP is thrown for links in a circle, so the recursion ends.
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const next = isMissing ? ifPossible(() => readlinkSync(path)) : undefined
    return next === undefined ? path : behindLinks(resolve(realpathSync(dirname(path)), next))
  }
}

/** Throws `usage` if other users can read or change a file. `holds`: what it contains. A pipe is always private. */
export function rejectShared(path: string, stat: Stats, holds: string): void {
  // Windows protects a user's folders by other means.
  if (process.platform === 'win32' || !stat.isFile() || (stat.mode & 0o077) === 0) return
  throw usage(
    `${path} contains ${holds}, and other users can read or change it; custody does not use it.`,
    `Make it private with: chmod 600 ${path}`,
  )
}
