import {
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  read,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { usage } from '../../base/cli-error.ts'
import { unreadable } from '../../base/input-file.ts'
import type { Io } from '../../base/io.ts'
import { temporaryFolder } from '../../base/temporary-folder.ts'

/** A CSV file that is read more than once; stdin or a pipe is kept in a temporary file meanwhile. */
export type CsvSource = {
  /** As the operator named it. */
  name: string
  /** Absolute; undefined for stdin or a pipe. */
  path: string | undefined
  bytes: number
  pieces(): AsyncIterable<Buffer>
  read(from: number, to: number): Buffer
  dispose(): void
}

/** Throws `usage` where the file cannot be read. */
export async function openSource(io: Io, file: string): Promise<CsvSource> {
  if (file === '-') return temporarySource('stdin', io.stdin.chunks())
  const path = resolve(io.cwd, file)
  const descriptor = openForReading(file, path)
  if (fstatSync(descriptor).isFile()) return { ...sourceOf(file, descriptor, () => {}), path }
  // A pipe, as <(zcat catalog.csv.gz) makes one.
  return temporarySource(file, createReadStream('', { fd: descriptor }))
}

/** A temporary file, which does not outlive this process. */
export async function temporarySource(name: string, bytes: AsyncIterable<Uint8Array>): Promise<CsvSource> {
  const folder = temporaryFolder('custody-import-')
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const descriptor = openNameless(join(folder, 'stdin.csv'))
    await pipeline(bytes, createWriteStream('', { fd: descriptor, autoClose: false }))
    return sourceOf(name, descriptor, dispose)
  } catch (error) {
    dispose()
    throw error
  }
}

/** A file without a name: it is gone with its process however that ends. If the system keeps the name, `dispose` removes it. */
function openNameless(path: string): number {
  const descriptor = openSync(path, 'wx+', 0o600)
  try {
    rmSync(dirname(path), { recursive: true })
  } catch {}
  return descriptor
}

/** A stream that is not read to its end closes its file, but this one is read again. */
const stillOpen = { read, close: (_: number, done?: () => void) => done?.() }

function sourceOf(name: string, descriptor: number, dispose: () => void): CsvSource {
  return {
    name,
    path: undefined,
    bytes: fstatSync(descriptor).size,
    pieces: () => createReadStream('', { fd: descriptor, start: 0, fs: stillOpen }) as AsyncIterable<Buffer>,
    read(from, to) {
      const bytes = Buffer.alloc(to - from)
      if (readSync(descriptor, bytes, 0, bytes.length, from) === bytes.length) return bytes
      throw usage(`${name} was changed while it was read; nothing more was sent.`)
    },
    dispose,
  }
}

/** The source over bytes in memory. */
export function sourceOfBytes(name: string, bytes: Buffer): CsvSource {
  return {
    name,
    path: undefined,
    bytes: bytes.length,
    async *pieces() {
      yield bytes
    },
    read: (from, to) => bytes.subarray(from, to),
    dispose() {},
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
