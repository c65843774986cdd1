import { buffer } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { promisify } from 'node:util'
import type { ZstdOptions } from 'node:zlib'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'

const packFrom = 4096
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

export async function pack(text: string | readonly string[]): Promise<Uint8Array> {
  const texts = typeof text === 'string' ? [text] : text
  if (texts.reduce((sum, { length }) => sum + length, 0) < packFrom) return Buffer.from(texts.join(''))
  const zlib: typeof import('node:zlib') = process.getBuiltinModule('node:zlib')
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1 }
  const options: ZstdOptions = { params, pledgedSrcSize: await byteLengthInTurns(texts) }
  const compress = zlib.createZstdCompress(options)
  const packed = buffer(compress)
  // Piece by piece, so that a large response is not in memory twice, as text and as bytes.
  const write = promisify<Buffer, void>(
    (piece, done) => void compress.write(piece, (error) => done(error ?? null)),
  )
  for await (const piece of bytesInTurns(texts)) await write(piece)
  compress.end()
  return packed
}

/** Bytes of the original text, from the frame's header (RFC 8878, 3.1.1.1); 0 if it does not say. */
export function unpackedSize(packed: Uint8Array): number {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  if (!isPacked(bytes)) return bytes.length
  const descriptor = bytes.readUInt8(4)
  const isOneSegment = (descriptor & 0x20) !== 0
  const at = 5 + (isOneSegment ? 0 : 1)
  return descriptor >> 6 === 2 ? bytes.readUInt32LE(at) : 0
}

export async function unpack(bytes: Uint8Array): Promise<string> {
  return (await unpackInPieces(bytes)).join('')
}

export async function unpackInPieces(bytes: Uint8Array): Promise<string[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isPacked(buffer)) return [buffer.toString()]
  const zlib: typeof import('node:zlib') = process.getBuiltinModule('node:zlib')
  const chunkSize = Math.min(unpackedSize(bytes) || 64 * 1024, pieceLength)
  const decoder = new StringDecoder()
  const texts: string[] = []
  for await (const chunk of zlib.createZstdDecompress({ chunkSize }).end(buffer)) {
    texts.push(decoder.write(chunk))
    if (texts.length > 1) await yieldToEventLoop()
  }
  return texts
}

function isPacked(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(zstdMagic)
}

/** The longest JSON body, in characters, that counts as brief to parse. */
export const briefBodyMax = 16 * 1024
/** Bytes of a body of some thousand rows or values: one per partner may be processed at a time, and few may be in memory. */
export const largeBodyMin = 512 * 1024
/** Characters encoded at once: a third of a millisecond. */
const pieceLength = 256 * 1024

export async function byteLengthInTurns(texts: readonly string[]): Promise<number> {
  let sum = 0
  let done = 0
  for (const text of texts) {
    if (done >= pieceLength) await yieldToEventLoop()
    done = (done % pieceLength) + text.length
    sum += Buffer.byteLength(text)
  }
  return sum
}

/**
 * The UTF-8 bytes of texts in pieces, yielding in between: twenty million characters, as of a large import, would take over 30 ms
 * at once. Each piece is valid until the next one, which reuses its memory.
 */
export async function* bytesInTurns(texts: readonly string[]): AsyncGenerator<Buffer, void> {
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0)
  const room = Buffer.allocUnsafeSlow(3 * Math.min(longest, pieceLength + 1))
  let done = 0
  for (const text of texts) {
    for (let from = 0; from < text.length; ) {
      if (done >= pieceLength) await yieldToEventLoop()
      const to = endOfPiece(text, from + pieceLength)
      done = (done % pieceLength) + to - from
      yield room.subarray(0, room.write(text.slice(from, to)))
      from = to
    }
  }
}

/** Keeps surrogate pairs together. */
function endOfPiece(text: string, at: number): number {
  if (at >= text.length) return text.length
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at
}
