import { describe, expect, test } from 'vitest'
import { afterHalfLine } from '../../../src/cli/events/tail-work.ts'
import { collectingOutlet } from '../collecting-outlet.ts'

const line = '{"id":"1","name":"é"}\n'
const bytes = Buffer.from(line)

describe('a partial line', () => {
  test.each(Array.from({ length: bytes.length }, (_, cut) => cut))(
    'after %i bytes is completed by the same line and changes no other',
    (cut) => {
      const half = bytes.subarray(0, cut)
      const file = Buffer.concat([half, Buffer.from(written(half, [line, line]))])
      const isWithinCharacter = ((bytes[cut] ?? 0) & 0xc0) === 0x80
      if (isWithinCharacter) expect(file.toString()).toBe(`${half.toString()}\n${line}${line}`)
      else expect(file.toString()).toBe(line + line)
    },
  )

  test('is left alone, on a line of its own, if something else follows', () => {
    expect(written(Buffer.from('{"id":"0'), [line, line])).toBe(`\n${line}${line}`)
    expect(written(Buffer.from(`${line.trimEnd()}x`), [line])).toBe(`\n${line}`)
  })
})

function written(half: Buffer, texts: string[]): string {
  const outlet = collectingOutlet()
  const out = afterHalfLine(outlet, half)
  for (const text of texts) out.write(text)
  return outlet.text
}
