import { own } from '../../contract/own.ts'
import { CliError } from './cli-error.ts'

/** Neither the caller's fault nor custody's. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'another file has its name',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'part of its path is a file, not a folder',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
}

/** Disk faults: any other file on the disk would fail too, and this one works again once the disk is repaired. */
const ofDisk = new Set(['EDQUOT', 'EIO', 'ENOSPC', 'EROFS'])

/** Errors of these calls are not about files. */
const elsewhere = /^(?:spawn|connect|listen|bind|accept|getaddrinfo|kill)/

export function systemFault(error: unknown): { place: string | undefined; text: string } | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  const text = own(words, code)
  if (text === undefined || syscall === undefined || elsewhere.test(syscall)) return undefined
  return { place: path, text }
}

export function faultText(error: unknown): string {
  return systemFault(error)?.text ?? (error instanceof Error ? error.message : String(error))
}

/** Undefined if the task fails, which does no harm. */
export function ifPossible<T>(task: () => T): T | undefined {
  try {
    return task()
  } catch {
    return undefined
  }
}

export function isOfCaller(error: unknown): boolean {
  return systemFault(error) !== undefined && !ofDisk.has((error as NodeJS.ErrnoException).code ?? '')
}

/** Ends in `usage`, or in `unreachable` if the disk is at fault. */
export function unwritable(file: string, error: unknown, hint?: string): CliError {
  const isOfDisk = ofDisk.has((error as NodeJS.ErrnoException).code ?? '')
  const message = `${file} cannot be written: ${faultText(error)}.`
  return new CliError(isOfDisk ? 'unreachable' : 'usage', message, { hint })
}
