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
import { type CliError, usage } from '../../base/cli-error.ts'
import { sha256 } from '../../base/crypto.ts'
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
  /** Throws `usage` where these are not the bytes that `pieces` has given. */
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

/** Bytes that are read at once. */
const pieceBytes = 64 * 1024

/** A stream that is not read to its end closes its file, but this one is read again. */
const stillOpen = { read, close: (_: number, done?: () => void) => done?.() }

/** A piece of a file that was read: its place, and the hash of its bytes. */
type ReadPiece = { from: number; to: number; hash: string }

function sourceOf(name: string, descriptor: number, dispose: () => void): CsvSource {
  let known: ReadPiece[] = []
  const readAll = (from: number, to: number): Buffer => {
    const bytes = Buffer.alloc(to - from)
    if (readSync(descriptor, bytes, 0, bytes.length, from) === bytes.length) return bytes
    throw changed(name)
  }
  return {
    name,
    path: undefined,
    bytes: fstatSync(descriptor).size,
    async *pieces() {
      const pieces: ReadPiece[] = []
      known = pieces
      const stream = createReadStream('', {
        fd: descriptor,
        start: 0,
        fs: stillOpen,
        highWaterMark: pieceBytes,
      })
      let from = 0
      for await (const piece of stream as AsyncIterable<Buffer>) {
        const to = from + piece.length
        pieces.push({ from, to, hash: sha256(piece) })
        yield piece
        from = to
      }
    },
    read(from, to) {
      const pieces = known.filter((piece) => piece.from < to && piece.to > from)
      const first = Math.min(from, pieces[0]?.from ?? from)
      const bytes = readAll(first, Math.max(to, pieces.at(-1)?.to ?? to))
      for (const piece of pieces)
        if (sha256(bytes.subarray(piece.from - first, piece.to - first)) !== piece.hash) throw changed(name)
      return bytes.subarray(from - first, to - first)
    },
    dispose,
  }
}

/** What was checked is no longer what would be sent. */
function changed(name: string): CliError {
  return usage(
    `${name} was changed while it was read; nothing more was sent.`,
    'Import it again once nothing writes to it: what was sent is not sent twice.',
  )
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
