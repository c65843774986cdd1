import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseApiKey } from '../../domain/api-key.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { rejectShared } from '../base/durable-file.ts'
import { unreadable } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'
import { unquoted } from '../base/shell-word.ts'

export type KeySource = { key: string } | { file: string } | { command: string }

/** Throws `usage` if the file is unreadable, shared, or without a key, and `key_refused` if the command fails. */
export function readKey(io: Io, source: KeySource, where: string): string {
  if ('command' in source)
    return checkedKey(printedBy(io, source.command, where), `The output of the command of ${where}`)
  return checkedKey('key' in source ? source.key : textOf(resolve(io.cwd, source.file)), where)
}

/** Throws `usage` if the text cannot be a key. */
export function checkedKey(text: string, where: string): string {
  const fault = keyFault(text)
  if (fault !== undefined) throw usage(`${where} ${fault}.`)
  return unquoted(text)
}

/** Completes "CUSTODY_API_KEY ...". Services may have keys of any form. */
export function keyFault(text: string): string | undefined {
  const key = unquoted(text)
  if (key === '') return 'contains no key'
  if (/^https?:\/\/|^localhost\b|^[\w.-]+\.[a-z]{2,}(?::\d+)?\//i.test(key))
    return 'is an address, not an API key'
  return /^[\x21-\x7e]+$/.test(key) ? undefined : 'is not an API key: it has spaces, line breaks, or accents'
}

/** Shows the display prefix, and nothing of a key in another form. */
export function shownKey(key: string): string {
  const parsed = parseApiKey(key)
  return parsed === null ? '[hidden]' : `${parsed.prefix}…`
}

function textOf(path: string): string {
  try {
    rejectShared(path, statSync(path), 'an API key')
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof CliError) throw error
    throw unreadable(path, error)
  }
}

/** Longer than anyone needs to unlock a password manager. */
const commandMs = 300_000

/** Runs each time, so that the key is stored nowhere. The command may ask on the terminal, but does not get our stdin. */
function printedBy({ cwd, env, stdin }: Io, command: string, where: string): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, signal, error, stdout } = spawnSync(command, {
    shell: true,
    cwd,
    env,
    stdio: [stdin.isTerminal ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: commandMs,
  })
  if (status === 0) return stdout
  const end = status ?? signal ?? error?.message
  throw new CliError('key_refused', `The command of ${where} failed with ${end}.`, {
    hint: `Run it by itself to see what is wrong: ${command}`,
  })
}
