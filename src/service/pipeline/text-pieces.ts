import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'

/** A JSON body of up to so many characters is parsed in a moment. */
export const briefBodyMax = 16 * 1024
/** Characters that are encoded at once: a third of a millisecond. */
const pieceLength = 256 * 1024

/**
 * The UTF-8 bytes of a text in pieces, yielding in between. The answer to a large import is twenty million characters, which
 * would take 30 ms and more at once. Each piece is valid until the next one is asked for, which reuses its memory.
 */
export async function* piecesInTurns(text: string): AsyncGenerator<Buffer, void> {
  const room = Buffer.allocUnsafeSlow(3 * Math.min(text.length, pieceLength + 1))
  for (let from = 0; from < text.length; ) {
    if (text.length > pieceLength) await yieldToEventLoop()
    const to = endOfPiece(text, from + pieceLength)
    yield room.subarray(0, room.write(text.slice(from, to)))
    from = to
  }
}

/** A pair of surrogates is one character, and stays in one piece. */
function endOfPiece(text: string, at: number): number {
  if (at >= text.length) return text.length
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at
}
