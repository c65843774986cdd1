import { describe, expect, test } from 'vitest'
import { sliceCsv } from '../../src/domain/csv/csv-file.ts'
import { faultsOf, read } from '../support/csv-files.ts'

describe('a large file', () => {
  test('is read in slices, whatever its quotes', () => {
    const count = 20_000
    const lines = Array.from({ length: count }, (_, n) =>
      n % 3 ? `${n},plain ${n}` : `${n},"quoted, ${n}\n"`,
    )
    const file = sliceCsv(Buffer.from(`a,b\n${lines.join('\n')}`), { known: ['a', 'b'], required: ['a'] })
    const slices = [...file.slices]
    expect(slices.length).toBeGreaterThan(3)
    expect(slices.length).toBeLessThan(10)
    const rows = slices.flat()
    expect(rows.map((row) => row.row)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
    expect(rows.map((row) => row.values[0])).toEqual(Array.from({ length: count }, (_, n) => `${n}`))
    expect(rows[3]?.values).toEqual(['3', 'quoted, 3\n'])
  })

  test.each(['\n', '\r\n', '\r'])(
    'may have exactly the maximum rows, blank lines included, whatever ends a line (%j), and not one more',
    (end) => {
      const most = `sku${end}${`A${end}`.repeat(50_000)}`
      expect(read(most).rows).toHaveLength(50_000)
      expect(faultsOf(() => read(`${most}A`))).toEqual(['has more than 50,000 data rows: split it'])
      const half = `sku${end}${`A${end}${end}`.repeat(25_000)}`
      expect(read(half).rows).toHaveLength(25_000)
      expect(faultsOf(() => read(`${half}${end}`))).toEqual([
        'has more than 50,000 rows and blank lines together: remove the blank lines, or split it',
      ])
    },
  )

  test("reports too many columns of a row as its own fault, and as the file's if they never end", () => {
    const wide = 'A'.repeat(1_000_000).split('').join()
    expect(read(`sku,name\nA,B\n${wide.slice(0, 2000)}`).rows[1]).toHaveLength(1002)
    expect(faultsOf(() => read(`sku,name\nA,B\n${wide}`))).toEqual([
      expect.stringMatching(
        /^has a row of \d{2,3},\d{3} fields or more near line 3 and a header of 2: a line break may be missing$/,
      ),
    ])
  })
})
