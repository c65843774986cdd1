import type { Stats } from 'node:fs'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { usage } from './cli-error.ts'
import { draftOf, removeDraft } from './drafts.ts'

/** The mode of files for their owner alone: keys, addresses of customers. */
export const ownerOnly = 0o600
/** The mode of ordinary files, before the operator's umask. */
export const asUmask = 0o666

/**
 * Creates or replaces a file with `data`: written aside, synced, renamed, the folder synced. A process that dies on the way
 * leaves the old file or the new one, and the result survives a power failure. Whom the old one was kept from cannot read the
 * new one. A link is followed to its file; a device or a pipe is simply written to.
 */
export function replaceFile(path: string, data: string | Uint8Array, mode: number): void {
  const target = behindLinks(path)
  const old = statSync(target, { throwIfNoEntry: false })
  if (old?.isFile() === false) {
    writeFileSync(target, data)
    return
  }
  const draft = draftOf(target, 'tmp')
  try {
    // Exclusively, so that a link planted there is not followed.
    const descriptor = openSync(draft, 'wx', old ? noWider(mode, old) : mode)
    try {
      writeFileSync(descriptor, data)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    moveFile(draft, target)
  } catch (error) {
    removeDraft(draft)
    throw error
  }
}

/** A mode that lets nobody but the owner do what another file's does not. */
export function noWider(mode: number, other: { mode: number }): number {
  return mode & (other.mode | ownerOnly)
}

/** Renames a file for good. */
export function moveFile(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Appends text to an existing file; it is on the disk when this returns. */
export function appendToFile(path: string, text: string): void {
  const descriptor = openSync(path, 'a', ownerOnly)
  try {
    appendFileSync(descriptor, text)
    fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Durably makes a folder, and those above it, for its owner alone. One by one: if a folder accepts none (`/proc`), Node.js's own
 * recursive mkdir would never end.
 */
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

/** Folders that cannot be synced (Windows, some file systems) need not be. */
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

function behindLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Throws `usage` if others can read or change a file; `holds` says why that matters. A pipe is always private. */
export function refuseShared(path: string, stat: Stats, holds: string): void {
  // Windows protects a user's folders by other means.
  if (process.platform === 'win32' || !stat.isFile() || (stat.mode & 0o077) === 0) return
  throw usage(
    `${path} contains ${holds}, and other users can read or change it; custody does not use it.`,
    `Make it private with: chmod 600 ${path}`,
  )
}
