import { own } from '../../contract/own.ts'
import { CliError } from './cli-error.ts'

/** Errors of the file system that are neither the caller's fault nor ours. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something else exists there',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a file is in the place of a folder',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
}

/** Of the disk itself: any other name on it fares as badly, and the same one fares well once it is mended. */
const ofDisk = new Set(['EDQUOT', 'EIO', 'ENOSPC', 'EROFS'])

/** Errors that are not about files have other words. */
const elsewhere = /^(?:spawn|connect|listen|bind|accept|getaddrinfo|kill)/

/** The place and reason of a file system error, in words; undefined for any other. */
export function systemFault(error: unknown): { place: string | undefined; text: string } | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  const text = own(words, code)
  if (text === undefined || syscall === undefined || elsewhere.test(syscall)) return undefined
  return { place: path, text }
}

/** Why a file cannot be used, in words. */
export function faultText(error: unknown): string {
  return systemFault(error)?.text ?? (error instanceof Error ? error.message : String(error))
}

/** Why a file that an option names is not written: `usage`, except where the disk is at fault and not the option. */
export function unwritable(file: string, error: unknown, hint?: string): CliError {
  const isOfDisk = ofDisk.has((error as NodeJS.ErrnoException).code ?? '')
  const message = `${file} cannot be written: ${faultText(error)}.`
  return new CliError(isOfDisk ? 'unreachable' : 'usage', message, hint === undefined ? {} : { hint })
}
