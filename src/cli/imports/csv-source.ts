import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { usage } from '../cli-error.ts'
import { unreadable } from '../input-file.ts'
import type { Io } from '../io.ts'

/** A CSV file that is read more than once; what came by stdin is kept in a temporary file meanwhile. */
export type CsvSource = {
  /** As the operator named it. */
  name: string
  bytes: number
  pieces(): AsyncIterable<Buffer>
  read(from: number, to: number): Buffer
  dispose(): void
}

/** Throws `usage` where the file cannot be read. */
export async function openSource(io: Io, file: string): Promise<CsvSource> {
  if (file !== '-') return sourceOf(file, resolve(io.cwd, file), () => {})
  const folder = mkdtempSync(join(tmpdir(), 'custody-import-'))
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const spool = join(folder, 'stdin.csv')
    await pipeline(io.stdin.chunks(), createWriteStream(spool))
    return sourceOf('stdin', spool, dispose)
  } catch (error) {
    dispose()
    throw error
  }
}

function sourceOf(name: string, path: string, dispose: () => void): CsvSource {
  const descriptor = openForReading(name, path)
  return {
    name,
    bytes: statSync(path).size,
    pieces: () => createReadStream(path) as AsyncIterable<Buffer>,
    read(from, to) {
      const bytes = Buffer.alloc(to - from)
      if (readSync(descriptor, bytes, 0, bytes.length, from) === bytes.length) return bytes
      throw usage(`${name} was changed while it was read; nothing more was sent.`)
    },
    dispose,
  }
}

function openForReading(name: string, path: string): number {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return openSync(path, 'r')
  } catch (error) {
    throw unreadable(name, error)
  }
}
