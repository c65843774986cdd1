import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'

/** A JSON body of up to so many characters is parsed in a moment. */
export const briefBodyMax = 16 * 1024
/**
 * Bytes of a body that takes up more memory than many may at once, and more of this thread than one partner may at once: some
 * thousand rows or values.
 */
export const largeBodyMin = 512 * 1024
/** Characters that are encoded at once: a third of a millisecond. */
export const pieceLength = 256 * 1024

/** How many bytes texts have together. */
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
 * The UTF-8 bytes of texts, one after the other, in pieces, yielding in between. The answer to a large import is twenty million
 * characters, which would take 30 ms and more at once. Each piece is valid until the next one is asked for, which reuses its memory.
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

/** A pair of surrogates is one character, and stays in one piece. */
function endOfPiece(text: string, at: number): number {
  if (at >= text.length) return text.length
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at
}
