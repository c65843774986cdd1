import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOfRecords } from '../../../src/cli/imports/record-offset.ts'
import { readCsv } from '../../../src/domain/csv/csv-file.ts'

describe('the bytes that so many records take', () => {
  test.each([
    ['a,b\nc,d\n', 1, 'a,b\n'],
    ['a,b\r\nc,d\r\n', 1, 'a,b\r'],
    ['a,b\rc,d\r', 1, 'a,b\r'],
    ['"a\nb",c\nd,e\n', 1, '"a\nb",c\n'],
    ['"a ""x""\r\n",c\r\nd\n', 1, '"a ""x""\r\n",c\r'],
    ['\n  \n""\na,b\nc\n', 1, '\n  \n""\na,b\n'],
    ['a\nb', 2, 'a\nb'],
    ['a\nb\n', 5, 'a\nb\n'],
  ])('%j: the first %i are %j', (text, count, taken) => {
    expect(text.slice(0, bytesOfRecords(Buffer.from(text), count))).toBe(taken)
  })

  test('are exactly those that the reader takes for so many rows (property)', () => {
    const cell = fc.constantFrom('a', '', 'b c', '"q"', '"x,\ny"', '"x\r\ny"', '""', '"a ""b"" c"', '12"')
    const line = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(','))
    const file = fc.tuple(
      fc.array(fc.oneof(line, fc.constantFrom('', ' ')), { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    fc.assert(
      fc.property(file, fc.nat(12), ([lines, lineBreak], count) => {
        const text = lines.map((text) => text + lineBreak).join('')
        const all = rowsOf(text)
        const at = bytesOfRecords(Buffer.from(text), count)
        expect(rowsOf(text.slice(0, at))).toEqual(all.slice(0, count))
        expect(rowsOf(text.slice(at))).toEqual(all.slice(count))
      }),
    )
  })
})

/** The records of a text without a header. */
function rowsOf(text: string): string[][] {
  const bytes = Buffer.from(`one,two\n0\n${text}`)
  const { rows } = readCsv(bytes, { known: ['one', 'two'], required: [] })
  return [...rows]
    .flat()
    .slice(1)
    .map(({ values }) => [...values])
}
