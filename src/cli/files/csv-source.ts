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
import { promisify } from 'node:util'
import { sha256 } from '../../domain/computing.ts'
import {
  endRecords,
  type PlacedRecord,
  pushRecords,
  type Separator,
  startPieces,
} from '../../domain/csv/csv-pieces.ts'
import { Rejection } from '../../domain/rejection.ts'
import { beforeAnyChange, type CliError, invalid, usage } from '../base/cli-error.ts'
import { stdinChunks, unreadable } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'
import { giveMemoryBack } from '../base/memory.ts'
import { ifPossible, unwritable } from '../base/system-fault.ts'
import { temporaryFolder } from '../base/temporary-folder.ts'
import { createProgress } from '../output/progress.ts'

/** A CSV file that can be read repeatedly. Throws `usage` if it changes meanwhile. Stdin and pipes are copied to a temporary file. */
export type CsvSource = {
  name: string
  bytes: number
  pieces(): AsyncIterable<Buffer>
  read(from: number, to: number): Buffer
  dispose(): void
}

/** Throws `usage` if the file cannot be read. */
export async function openSource(io: Io, file: string): Promise<CsvSource> {
  if (file === '-') return temporarySource('stdin', stdinChunks(io))
  const descriptor = openForReading(file, resolve(io.cwd, file))
  if (fstatSync(descriptor).isFile()) return sourceOf(file, descriptor, () => {})
  return temporarySource(file, createReadStream('', { fd: descriptor }))
}

export async function temporarySource(name: string, bytes: AsyncIterable<Uint8Array>): Promise<CsvSource> {
  const folder = temporaryFolder('custody-import-')
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const descriptor = openNameless(join(folder, 'stdin.csv'))
    await pipeline(bytes, createWriteStream('', { fd: descriptor, autoClose: false }))
    return sourceOf(name, descriptor, dispose)
  } catch (error) {
    dispose()
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error
    const hint = 'Free some space, or name another folder with TMPDIR.'
    throw unwritable(`A temporary file in ${dirname(folder)}`, error, hint)
  }
}

export async function* withProgress(
  io: Io,
  doing: string,
  { bytes }: CsvSource,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const progress = createProgress(io, doing)
  try {
    let done = 0
    for await (const piece of pieces) {
      if (io.readsEnd?.()?.aborted) throw beforeAnyChange()
      yield piece
      done += piece.length
      await progress.update(Math.min(done, bytes), bytes, 'bytes')
    }
  } finally {
    progress.end()
  }
}

export function sourceOfBytes(name: string, bytes: Buffer): CsvSource {
  return {
    name,
    bytes: bytes.length,
    async *pieces() {
      yield bytes
    },
    read: (from, to) => bytes.subarray(from, to),
    dispose() {},
  }
}

/** Unlinks the file at once, so that it is gone however the process ends; if that is not possible, `dispose` deletes it. */
function openNameless(path: string): number {
  const descriptor = openSync(path, 'wx+', 0o600)
  ifPossible(() => rmSync(dirname(path), { recursive: true }))
  return descriptor
}

const pieceBytes = 64 * 1024

function sourceOf(name: string, descriptor: number, dispose: () => void): CsvSource {
  let known: Array<{ from: number; to: number; hash: string }> = []
  const { size, mtimeMs } = fstatSync(descriptor)
  const readPiece = promisify(read)
  return {
    name,
    bytes: size,
    async *pieces() {
      const pieces: typeof known = []
      known = pieces
      for (let from = 0; ; ) {
        const buffer = Buffer.alloc(pieceBytes)
        const { bytesRead } = await readPiece(descriptor, buffer, 0, pieceBytes, from).catch((error) => {
          throw unreadable(name, error)
        })
        if (bytesRead === 0) {
          const now = fstatSync(descriptor)
          if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed(name)
          return
        }
        const piece = buffer.subarray(0, bytesRead)
        pieces.push({ from, to: from + bytesRead, hash: sha256(piece) })
        yield piece
        await giveMemoryBack()
        from += bytesRead
      }
    },
    read(from, to) {
      const pieces = known.filter((piece) => piece.from < to && piece.to > from)
      const first = Math.min(from, pieces[0]?.from ?? from)
      const bytes = Buffer.alloc(Math.max(to, pieces.at(-1)?.to ?? to) - first)
      if (readSync(descriptor, bytes, 0, bytes.length, first) !== bytes.length) throw changed(name)
      for (const piece of pieces)
        if (sha256(bytes.subarray(piece.from - first, piece.to - first)) !== piece.hash) throw changed(name)
      return bytes.subarray(from - first, to - first)
    },
    dispose,
  }
}

function changed(name: string): CliError {
  return usage(
    `${name} changed while custody read it; nothing more was sent.`,
    'Import it again when no other program is writing to it: nothing is sent twice.',
  )
}

function openForReading(name: string, path: string): number {
  try {
    if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return openSync(path, 'r')
  } catch (error) {
    throw unreadable(name, error)
  }
}

export const headerWithin = 10

/** Up to ten; those before a fault may still tell what the file is. */
export function firstRecords(separator: Separator, head: Buffer): PlacedRecord[] {
  const pieces = startPieces(separator)
  const records: PlacedRecord[] = []
  ifPossible(() => {
    // Line by line; otherwise the records before a fault in the same piece would be lost.
    for (let from = 0, to = 0; from < head.length && records.length < headerWithin; from = to) {
      to = head.indexOf(10, from) + 1 || head.length
      records.push(...pushRecords(pieces, head.subarray(from, to)))
    }
    if (records.length === 0) records.push(...endRecords(pieces))
  })
  return records.slice(0, headerWithin)
}

export function rejectionOf(error: unknown, file: string): unknown {
  if (!(error instanceof Rejection)) return error
  return invalid(error.message.replace(/^The file\b/, file).replace(/\?\.$/, '?'))
}
