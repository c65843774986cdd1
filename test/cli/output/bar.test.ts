import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bar } from '../../../src/cli/output/columns.ts'
import { barColumn } from '../../../src/cli/output/table.ts'

type Row = { full: number; half: number; light: number }

const bar: Bar = {
  title: 'stock',
  parts: ({ full, half, light }: Row) => [
    { sign: '█', units: full },
    { sign: '▒', units: half },
    { sign: '░', units: light },
  ],
}

describe('bars next to a table', () => {
  test('are as long as their units, the longest as long as the space, up to 32 characters', () => {
    const rows = [row(8), row(4), row(0), row(2, 1, 1)]
    expect(drawn(rows, 90, 82)).toBeUndefined()
    expect(drawn(rows, 90, 74)).toEqual(['█'.repeat(16), '█'.repeat(8), '', '████▒▒░░'])
    expect(drawn(rows, 300, 74)?.[0]).toBe('█'.repeat(32))
  })

  test('show anything above zero, however small', () => {
    expect(drawn([row(1_000_000), row(1), row(500_000, 1)], 100, 68)).toEqual([
      '█'.repeat(32),
      '█',
      expect.stringContaining('█'),
    ])
  })

  test('are omitted if there is nothing to show', () => {
    expect(drawn([row(0), row(0)], 100, 20)).toBeUndefined()
  })

  test('never exceed the column or change the order of lengths', () => {
    const units = fc.nat(1_000_000)
    const rows = fc.array(fc.record({ full: units, half: units, light: units }), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(rows, fc.integer({ min: 10, max: 80 }), (some, room) => {
        const sum = ({ full, half, light }: Row): number => full + half + light
        fc.pre(some.some((each) => sum(each) > 0))
        const lengths = (
          drawn(
            [...some].sort((a, b) => sum(a) - sum(b)),
            room,
            0,
          ) ?? []
        ).map((text) => text.length)
        expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
        expect(lengths.at(-1)).toBe(Math.min(32, room))
      }),
    )
  })
})

function row(full: number, half = 0, light = 0): Row {
  return { full, half, light }
}

function drawn(rows: readonly Row[], lineWidth: number, tableWidth: number): string[] | undefined {
  const found = barColumn(bar, rows, lineWidth, tableWidth)
  return found && rows.map((each) => found.column.shown?.(each as never) ?? '')
}
