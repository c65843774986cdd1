import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitWidths } from '../../../src/cli/output/table.ts'

describe('the widths of a table', () => {
  test('match the content if the line has space', () => {
    expect(fitWidths([wide(10), wide(20)], 80, 2)).toEqual([10, 20])
  })

  test('shrink from the widest column, then the next', () => {
    expect(fitWidths([{ natural: 10, least: 10 }, wide(60), wide(30)], 82, 2)).toEqual([10, 38, 30])
    expect(fitWidths([{ natural: 10, least: 10 }, wide(60), wide(30)], 54, 2)).toEqual([10, 20, 20])
  })

  test('push columns that cannot shrink out from the right', () => {
    const fixed = { natural: 20, least: 20 }
    expect(fitWidths([fixed, fixed, fixed], 45, 2)).toEqual([20, 20, 0])
  })

  test("never exceed the line or the content, nor go below a column's minimum (property)", () => {
    const column = fc
      .tuple(fc.nat(60), fc.nat(60))
      .map(([a, b]) => ({ natural: Math.max(a, b, 1), least: Math.max(Math.min(a, b), 1) }))
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 60, max: 200 }),
        (columns, line) => {
          const widths = fitWidths(columns, line, 2)
          const shown = widths.filter((width) => width > 0)
          expect(shown.reduce((sum, width) => sum + width, 0) + 2 * (shown.length - 1)).toBeLessThanOrEqual(
            line,
          )
          for (const [index, width] of widths.entries()) {
            if (width === 0) continue
            expect(width).toBeLessThanOrEqual(columns[index]?.natural ?? 0)
            expect(width).toBeGreaterThanOrEqual(columns[index]?.least ?? 0)
          }
          expect(widths[0]).toBeGreaterThan(0)
        },
      ),
    )
  })
})

function wide(natural: number): { natural: number; least: number } {
  return { natural, least: Math.min(natural, 12) }
}
