import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { colours } from '../../src/cli/base/style.ts'
import { harmless, jsonText, ownSequence, terminalText, visible } from '../../src/cli/base/terminal-text.ts'
import { anyText } from '../support/any-text.ts'

/** Every code point that a terminal obeys or hides, derived independently of the rule. */
const obeyed = [
  ...span(0x00, 0x1f),
  ...span(0x7f, 0x9f),
  ...[0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0xfeff, 0xe0001],
  ...span(0x2028, 0x202e),
  ...span(0x2060, 0x2064),
  ...span(0x2066, 0x206f),
  ...span(0xfff9, 0xfffb),
  ...span(0xe0020, 0xe007f),
].map((code) => String.fromCodePoint(code))
const seen = ['a', 'é', '日', '👩‍🚀', 'می‌خواهم', '\u0600', '\u{110bd}']
const texts = fc.array(fc.oneof(fc.constantFrom(...obeyed, ...seen), anyText()))

describe('any text', () => {
  test('no control character is left in a cell, and each visible one stays', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        for (const shown of [harmless(parts.join('')), visible(parts.join(''))]) {
          expect(obeyed.filter((sign) => shown.includes(sign))).toEqual([])
        }
      }),
    )
    expect(seen.map(visible)).toEqual(seen.map((text) => text.normalize('NFC')))
    expect(obeyed.map(visible)).toEqual(obeyed.map(() => ' '))
  })

  test('no control character reaches a terminal, except for line breaks and tabs', () => {
    const forbidden = obeyed.filter((sign) => !/[\n\t]/.test(sign))
    fc.assert(
      fc.property(texts, (parts) => {
        const sent = terminalText(parts.join(''))
        expect(forbidden.filter((sign) => sent.includes(sign))).toEqual([])
      }),
    )
    expect(terminalText('a\tb\n')).toBe('a\tb\n')
  })

  test('the JSON form has none either, and the same value', () => {
    const value = { [obeyed.join('')]: [...obeyed, ...seen] }
    for (const indent of [undefined, 2]) {
      const text = jsonText(value, indent)
      expect(JSON.parse(text)).toEqual(value)
      expect(obeyed.filter((sign) => sign !== '\n' && text.includes(sign))).toEqual([])
    }
  })
})

test('a colour passes only if it is ours, and has no width', async () => {
  const { red, bold } = await colours()
  const text = red(bold('\u001b[31mtxt'))
  expect(terminalText(text)).toBe('\u001b[31m\u001b[1m [31mtxt\u001b[22m\u001b[39m')
  expect(terminalText(`${ownSequence}?25l`)).toBe('\u001b[?25l')
  expect(stringWidth(red('abc'))).toBe(3)
})

function span(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
