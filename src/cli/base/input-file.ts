import { promises as files } from 'node:fs'
import { resolve } from 'node:path'
import { jsonLimits, pathText, scannedJson } from '../../contract/json-scan.ts'
import { jsonBodyBytesMax } from '../../contract/limits.ts'
import { CliError, usage } from './cli-error.ts'
import type { Io } from './io.ts'
import { faultText, isOfCaller } from './system-fault.ts'

/** Reads stdin for `-`. Throws `usage` if the file is unreadable, `invalid` if it is larger than any request may be. */
export async function readInput(io: Io, file: string): Promise<Buffer> {
  if (file === '-') return readStdin(io)
  const path = resolve(io.cwd, file)
  try {
    if ((await files.stat(path)).size > jsonBodyBytesMax) throw tooLarge(file)
    return await files.readFile(path)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Throws `usage` if the file is unreadable, `invalid` if it is not a JSON object. */
export async function readJsonInput(io: Io, file: string): Promise<Record<string, unknown>> {
  return parseJsonObject(await readInput(io, file), inputName(file))
}

export function inputName(file: string): string {
  return file === '-' ? 'stdin' : file
}

/** Throws `invalid` for JSON that the service would reject too. */
export function parseJsonObject(bytes: Buffer, file: string): Record<string, unknown> {
  const text = utf8Text(bytes, file)
  const value = jsonValue(text, file)
  if (!isObject(value)) throw new CliError('invalid', `${file} is not a JSON object.`)
  const { excess, repeated } = scannedJson(text, jsonLimits)
  if (excess) throw new CliError('invalid', `${file} ${excess}.`)
  const fields = repeated.map((path) => [pathText(path), ['is given twice; give it once']])
  if (fields.length > 0)
    throw new CliError('invalid', `${file} has the same name twice in one object.`, {
      fields: Object.fromEntries(fields),
    })
  return value
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function utf8Text(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CliError('invalid', `${file} is not UTF-8.`, { hint: 'Save it as UTF-8.' })
  }
}

function jsonValue(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError('invalid', `${file} is not valid JSON: ${(error as Error).message}.`)
  }
}

export function unreadable(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const isCode = /^(?:\d{7,10}|q(?:-?\w{4}){3})$/i.test(file)
    const hint = isCode ? `To look up an item: custody items show ${file}` : undefined
    return usage(`There is no file ${file}.`, hint)
  }
  if (code === 'EISDIR') return usage(`${file} is a directory; give the path of a file.`)
  if (code === 'EACCES' || code === 'EPERM') return usage(`${file} cannot be read: check its permissions.`)
  return isOfCaller(error) ? usage(`${file} cannot be read: ${faultText(error)}.`) : error
}

export function stdinChunks({ stdin, err }: Io): AsyncIterable<Uint8Array> {
  if (stdin.isTerminal) err.write('Reading from this terminal; end with Ctrl-D.\n')
  return stdin.chunks()
}

async function readStdin(io: Io): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stdinChunks(io)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > jsonBodyBytesMax) throw tooLarge('stdin')
  }
  return Buffer.concat(chunks)
}

function tooLarge(file: string): CliError {
  return new CliError('invalid', `${file} is larger than ${jsonBodyBytesMax / (1024 * 1024)} MiB.`, {
    hint: 'Split it.',
  })
}
