import { describe, expect, test } from 'vitest'
import {
  byteLengthInTurns,
  bytesInTurns,
  pack,
  unpack,
  unpackInPieces,
} from '../../src/service/pipeline/stored-body.ts'

describe('the bytes of a long answer', () => {
  // In one of the two, a character of two units lies across every boundary, whatever the length of a piece.
  const even = '\u{1f0a1}'.repeat(300_000)
  test.each([
    ['', ''],
    ['short', 'Pokémon'],
    ['long', even],
    ['shifted', `x${even}`],
  ])('%s equal those of its text', async (_, text) => {
    const pieces: Buffer[] = []
    for await (const piece of bytesInTurns([text])) pieces.push(Buffer.from(piece))
    expect(Buffer.concat(pieces).equals(Buffer.from(text))).toBe(true)
    expect(pieces.length).toBe(Math.ceil(text.length / 262_144))
  })

  test('are in the order of its texts', async () => {
    const texts = ['{"', '', even, 'Pokémon', `x${even}`]
    const pieces: Buffer[] = []
    for await (const piece of bytesInTurns(texts)) pieces.push(Buffer.from(piece))
    const bytes = Buffer.from(texts.join(''))
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    expect(await byteLengthInTurns(texts)).toBe(bytes.length)
    const back = await unpackInPieces(await pack(texts))
    expect(back.length).toBeGreaterThan(1)
    expect(back.join('')).toBe(texts.join(''))
  })

  test.each([1, 4095, 4096, 600_000])(
    'of %i characters are stored and come back unchanged',
    async (length) => {
      const text = `${'é'.repeat(length - 1)}"`
      const packed = await pack(text)
      expect(await unpack(packed)).toBe(text)
      expect(packed.length < 3000).toBe(length !== 4095)
    },
  )
})
