import { describe, expect, test } from 'vitest'
import { fitTo } from '../../../src/cli/output/fit-to.ts'

const on = (columns: number, isTerminal = true) => fitTo({ isTerminal, columns: () => columns, write() {} })

describe('prose in a terminal', () => {
  test.each([
    ['a sentence continues on the next line', 'One two three four', 9, 'One two\nthree\nfour'],
    ['text that fits is unchanged, up to the last column', 'One two', 7, 'One two'],
    ['each line wraps by itself', 'One\nTwo three four', 10, 'One\nTwo three\nfour'],
    ['indented text stays indented', '  One two three', 10, '  One two\n  three'],
    [
      'the text of a table continues in its column',
      '  row 1  is not a number',
      18,
      '  row 1  is not a\n         number',
    ],
    [
      'beyond half the width, the rest is indented by two',
      '  a long name  and text',
      16,
      '  a long name  and\n  text',
    ],
    ['a longer word stays whole', 'See https://example.org/a now', 12, 'See\nhttps://example.org/a\nnow'],
    [
      'a command to copy stays whole',
      'See what is there with: custody items ls --all',
      20,
      'See what is there\nwith:\ncustody items ls --all',
    ],
    ['wide characters count twice', '佐藤 美咲 様', 9, '佐藤 美咲\n様'],
    ['colours count nothing', '\u001b[31mOne\u001b[39m two', 7, '\u001b[31mOne\u001b[39m two'],
  ])('%s', async (_, text, columns, shown) => {
    expect((await on(columns))(text)).toBe(shown)
  })

  test('is not wrapped in a pipe', async () => {
    expect((await on(5, false))('One two three')).toBe('One two three')
  })
})
