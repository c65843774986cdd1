import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { shorten } from '../../../src/cli/output/shorten.ts'

test.each([
  ['日本語カード', 7, '日本語…'],
  ['日本語カード', 6, '日本…'],
  ['日本語カード', 12, '日本語カード'],
  ['ab 日本', 4, 'ab…'],
  ['👩‍👩‍👧 family', 4, '👩‍👩‍👧…'],
])('%j within %i cells becomes %j', (text, width, short) => {
  expect(shorten(text, width)).toBe(short)
})

test('no text is wider than allowed, and an ellipsis appears only after a cut', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '日', 'ｶ', '👍', ' ') }),
      fc.integer({ min: 1, max: 20 }),
      (text, width) => {
        const short = shorten(text, width)
        expect(stringWidth(short)).toBeLessThanOrEqual(width)
        expect(short.endsWith('…')).toBe(stringWidth(text) > width)
      },
    ),
  )
})
