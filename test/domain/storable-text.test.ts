import { expect, test } from 'vitest'
import { isStorable, unstorable } from '../../src/domain/storable-text.ts'

test.each(['', 'Pikachu', '\u30d4\u30ab\u30c1\u30e5\u30a6', '\u{1f600}', 'two\nlines'])(
  '%j is kept unchanged',
  (text) => {
    expect(isStorable(text)).toBe(true)
  },
)

test.each(['\0', 'a\0b', '\ud83d', '\ude00a'])('%j is rejected because no database can store it', (text) => {
  expect(isStorable(text)).toBe(false)
  expect(unstorable).toBe('must be Unicode text (UTF-8) without U+0000 and without half a surrogate pair')
})
