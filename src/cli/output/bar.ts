import type { Bar, BarParts, Column } from './columns.ts'

/** Characters of the longest bar, and of the shortest useful one. */
const most = 32
const least = 10

/**
 * The column of bars beside a table of `tableWidth` on a line of `lineWidth`: the longest of the rows fills it. Undefined
 * where there is too little room, or nothing to show.
 */
export function barColumn(
  bar: Bar,
  rows: readonly unknown[],
  lineWidth: number,
  tableWidth: number,
): { column: Column; width: number } | undefined {
  const width = Math.min(most, lineWidth - tableWidth)
  const longest = Math.max(...rows.map((row) => unitsOf(bar, row)))
  if (width < least || longest <= 0) return undefined
  const shown = (row: never): string => barText(bar, row, width / longest)
  return { column: { name: 'bar', title: bar.title, kind: 'bar', shown }, width }
}

/** Rounds to whole characters; anything above zero gets at least one. */
function barText(bar: Bar, row: unknown, scale: number): string {
  const total = unitsOf(bar, row)
  if (total <= 0) return ''
  const length = Math.max(1, Math.round(total * scale))
  let passed = 0
  let text = ''
  for (const { sign, units } of partsOf(bar, row)) {
    passed += units
    const end = Math.round((passed / total) * length)
    text += sign.repeat(Math.max(units > 0 && text.length < length ? 1 : 0, end - text.length))
  }
  return text
}

function unitsOf(bar: Bar, row: unknown): number {
  return partsOf(bar, row).reduce((sum, { units }) => sum + units, 0)
}

function partsOf(bar: Bar, row: unknown): BarParts {
  return bar.parts(row as never)
}
