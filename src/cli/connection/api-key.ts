import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseApiKey } from '../../domain/api-key.ts'
import { usage } from '../base/cli-error.ts'
import { unreadable } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'

/** Where a key comes from: as it is, or a file that holds it. */
export type KeySource = { key: string } | { file: string }

/** The key itself. Throws `usage` where its file cannot be read or what is there is no key. */
export function readKey(io: Io, source: KeySource, where: string): string {
  return checkedKey('key' in source ? source.key : textOf(resolve(io.cwd, source.file)), where)
}

/** A key without the line break that a file or a pipe ends with. Throws `usage` on what no key can be. */
export function checkedKey(text: string, where: string): string {
  const key = text.trim()
  if (key === '') throw usage(`${where} holds no key.`)
  if (!/^[\x21-\x7e]+$/.test(key)) throw usage(`${where} holds something that is not a key.`)
  return key
}

/** A key as it may be shown: what the service itself shows of it, and nothing of a key that is not of our making. */
export function shownKey(key: string): string {
  const parsed = parseApiKey(key)
  return parsed === null ? '[hidden]' : `${parsed.prefix}…`
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}
