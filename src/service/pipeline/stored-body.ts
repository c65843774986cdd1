import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { ZstdOptions } from 'node:zlib'
import { piecesInTurns } from './text-pieces.ts'

/** Characters. */
const packFrom = 4096
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** A stored result's bytes: as they are when small, compressed when they are an import's. */
export async function pack(text: string): Promise<Uint8Array> {
  if (text.length < packFrom) return Buffer.from(text)
  const zlib: typeof import('node:zlib') = process.getBuiltinModule('node:zlib')
  const options: ZstdOptions = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } }
  const compress = zlib.createZstdCompress(options)
  const packed = buffer(compress)
  // Piece by piece: the bytes of a large answer are never all in memory beside its text.
  const write = promisify<Buffer, void>(
    (piece, done) => void compress.write(piece, (error) => done(error ?? null)),
  )
  for await (const piece of piecesInTurns(text)) await write(piece)
  compress.end()
  return packed
}

/** The original text of `pack`. */
export async function unpack(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.subarray(0, 4).equals(zstdMagic)) return buffer.toString()
  const zlib: typeof import('node:zlib') = process.getBuiltinModule('node:zlib')
  return (await promisify<Buffer, Buffer>(zlib.zstdDecompress)(buffer)).toString()
}
