import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../src/domain/csv/csv-file.ts'
import { openCsv } from '../../src/domain/csv/csv-reading.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { faultsOf } from '../support/csv-files.ts'

const columns = { known: ['a', 'b'], required: ['a'] }

describe('reading a CSV file in parts', () => {
  const fields = fc.array(fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r', 'é', '🂡'), { maxLength: 6 })
  const records = fc.array(fc.tuple(fields, fields), { minLength: 1, maxLength: 8 })

  test('reads back what RFC 4180 writes, with any line break', () => {
    fc.assert(
      fc.property(records, fc.constantFrom('\n', '\r\n', '\r'), (given, lineBreak) => {
        const rows = given.map((pair) => pair.map((characters) => characters.join('')))
        const lines = [['a', 'b'], ...rows].map((row) => row.map(written).join(','))
        const file = readCsv(Buffer.from(lines.join(lineBreak)), columns)
        expect(rowsOf(file).map(([, ...values]) => values)).toEqual(rows)
      }),
    )
  })

  test('gives the same rows or fault for pieces of any size', () => {
    const text = fc.array(fc.constantFrom('a', ',', '"', '"', '\n', '\r', 'é', ' '), { maxLength: 40 })
    const beginnings = fc.constantFrom('a,b', '\ufeffa,b', '\ufeff"a","b"')
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(text, sizes, beginnings, (characters, pieces, beginning) => {
        const bytes = Buffer.from(`${beginning}\n${characters.join('')}`)
        expect(outcome(() => readInPieces(bytes, pieces))).toEqual(
          outcome(() => rowsOf(readCsv(bytes, columns))),
        )
      }),
      { numRuns: 500 },
    )
  })

  const nul = 'contains a NUL character: save it as "CSV UTF-8"'
  const notUtf8 = 'is not UTF-8: save it as "CSV UTF-8"'

  test.each([
    [nul, ['a,b\n1,\0']],
    [nul, ['a,\0b\n']],
    [nul, ['a,b\n1,2\n', '3,\0\n']],
    [nul, ['a,b\n1,2\n', 'PK,\0\n']],
    [notUtf8, ['a,b\n1,2\n', 'PKM-1,\xe9\n']],
  ])('rejects a file that %s with the piece that shows it: %j', (fault, pieces) => {
    const reader = openCsv(columns)
    for (const piece of pieces.slice(0, -1)) reader.push(Buffer.from(piece, 'latin1'))
    const last = Buffer.from(pieces.at(-1) as string, 'latin1')
    expect(faultsOf(() => reader.push(last))).toEqual([fault])
  })

  test('rejects bytes that are not text in a last row without a line break', () => {
    const reader = openCsv(columns)
    reader.push(Buffer.from('a,b\nPKM-1,\xe9', 'latin1'))
    expect(faultsOf(() => reader.end())).toEqual([notUtf8])
  })

  test("gives each row's exact byte range, and the line that an editor shows", () => {
    const cells = fc.constantFrom('a', 'é', '', ' ', '"x,\ny"', '"x\r\ny"', '""', '"a ""b"" c"', '12"')
    const line = fc.tuple(cells, cells).map((pair) => pair.join(','))
    const lines = fc.array(fc.oneof(line, fc.constantFrom('', '  ', '""')), { minLength: 1, maxLength: 10 })
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        sizes,
        (given, lineBreak, mark, pieces) => {
          const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${['a,b', '1,2', ...given].join(lineBreak)}`)
          const rows = inPieces(bytes, pieces)
          for (const { values, start, end, line } of rows) {
            const text = bytes.subarray(start, end)
            const [alone] = readCsv(Buffer.concat([Buffer.from('a,b\n'), text]), columns).rows
            expect(alone?.values).toEqual(values)
            expect(bytes.toString('utf8', 0, start).split(/\r\n|\n|\r/).length).toBe(line)
          }
          expect(rows[0]?.line).toBe(2)
          for (const { start, end } of inPieces(bytes, [bytes.length])) {
            const text = bytes.toString('utf8', start, end)
            expect([lineBreak, end === bytes.length ? '' : lineBreak]).toContain(/[\r\n]*$/.exec(text)?.[0])
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('reads any text as a naive reading of the rules does', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ',', '"', '"', '\n', '\r', ' '), { maxLength: 30 })
    fc.assert(
      fc.property(text, (characters) => {
        const content = characters.join('')
        const expected = plainReading(content)
        const found = outcome(() => rowsOf(readCsv(Buffer.from(`a,b\n${content}`), columns)))
        expect(typeof found === 'string' ? null : found.map(([, ...values]) => values)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })
})

type Row = [number, ...string[]]

function rowsOf(file: ReturnType<typeof readCsv>): Row[] {
  return file.rows.map(({ row, values }): Row => [row, ...values])
}

function readInPieces(bytes: Buffer, sizes: readonly number[]): Row[] {
  return inPieces(bytes, sizes).map(({ row, values }): Row => [row, ...values])
}

function inPieces(bytes: Buffer, sizes: readonly number[]) {
  const reader = openCsv(columns)
  const rows = []
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    // One buffer for all pieces: a reader that kept a reference would see it change.
    const piece = Buffer.from(bytes.subarray(from, from + size))
    rows.push(...reader.push(piece))
    piece.fill('"')
    from += size
  }
  rows.push(...reader.end())
  return rows
}

function written(value: string): string {
  return /[",\r\n]|^\s*$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** The data records of a text under the header `a,b`, one character at a time; null if the file is rejected. */
function plainReading(content: string): string[][] | null {
  const records: string[][] = []
  let values: string[] = []
  let value = ''
  let opened = false
  let inside = false
  const endRecord = () => {
    values.push(value)
    if (values.length > 1 || value.trim() !== '') records.push(values)
    values = []
    value = ''
    opened = false
  }
  for (let at = 0; at < content.length; at++) {
    const character = content.charAt(at)
    if (inside && character === '"' && content[at + 1] === '"') {
      value += '"'
      at++
    } else if (inside && character === '"') inside = false
    else if (inside) value += character
    else if (character === ',') {
      values.push(value)
      value = ''
      opened = false
    } else if (character === '\n' || character === '\r') endRecord()
    else if (opened) return null
    else if (character === '"' && value === '') {
      opened = true
      inside = true
    } else value += character
  }
  if (inside) return null
  endRecord()
  return records.length === 0 ? null : records
}

function outcome<T>(run: () => T): T | string {
  try {
    return run()
  } catch (fault) {
    if (fault instanceof Rejection) return fault.message
    throw fault
  }
}
