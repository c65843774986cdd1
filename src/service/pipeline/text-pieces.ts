import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'

/** Characters of a JSON body that is read in a moment. */
export const briefBodyMax = 16 * 1024
/** Characters that are encoded at once: a third of a millisecond. */
const pieceLength = 256 * 1024

/**
 * The UTF-8 bytes of a text in pieces; others are let in between. The answer to a large import is twenty million characters,
 * which at once take 30 ms and more. Each piece is good until the next is asked for, whose bytes take its place.
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
