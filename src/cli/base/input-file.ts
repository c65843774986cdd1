import { promises as files } from 'node:fs'
import { resolve } from 'node:path'
import { jsonBodyBytesMax } from '../../contract/limits.ts'
import { CliError, usage } from './cli-error.ts'
import type { Io } from './io.ts'

/**
 * The bytes of a file, or of stdin for `-`. Throws `usage` where it cannot be read, `invalid` where it is larger than
 * anything that can be sent in one piece.
 */
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

/** The JSON object of a file or stdin. Throws `usage` where it cannot be read, `invalid` where it is none. */
export async function readJsonInput(io: Io, file: string): Promise<Record<string, unknown>> {
  return parseJsonObject(await readInput(io, file), file)
}

export function parseJsonObject(bytes: Buffer, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    throw new CliError('invalid', `${file} is not valid JSON: ${(error as Error).message}.`)
  }
  throw new CliError('invalid', `${file} is not a JSON object.`)
}

/** Why a file that was named cannot be read. */
export function unreadable(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return usage(`${file} does not exist.`)
  if (code === 'EISDIR') return usage(`${file} is a directory; give the path of a file.`)
  if (code === 'EACCES' || code === 'EPERM') return usage(`${file} may not be read: check its permissions.`)
  return error
}

async function readStdin(io: Io): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of io.stdin.chunks()) {
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
