/** `natural`: the width of the content. `least`: the width it can be cut to. `isEmpty`: no row has a value. */
export type Width = { natural: number; least: number; isEmpty?: boolean }

/**
 * Widths that fit a line together with the gaps between them. If there is too little room, empty columns are left out (0); then
 * the widest column that can shrink is shrunk first; if even the least widths do not fit, columns are left out from the right.
 */
export function fitWidths(columns: readonly Width[], lineWidth: number, gap: number): number[] {
  const natural = columns.reduce((sum, { natural }) => sum + natural + gap, -gap)
  const isKept = columns.map(({ isEmpty }) => natural <= lineWidth || !isEmpty)
  const widths = fittedFrom(
    columns.filter((_, index) => isKept[index]),
    lineWidth,
    gap,
  )
  let next = 0
  return isKept.map((kept) => (kept ? (widths[next++] ?? 0) : 0))
}

function fittedFrom(columns: readonly Width[], lineWidth: number, gap: number): number[] {
  for (let shown = columns.length; shown > 1; shown--) {
    const widths = fitted(columns.slice(0, shown), lineWidth - gap * (shown - 1))
    if (widths !== undefined) return [...widths, ...columns.slice(shown).map(() => 0)]
  }
  return columns.map(({ least, natural }, index) =>
    index === 0 ? Math.max(least, Math.min(natural, lineWidth)) : 0,
  )
}

function fitted(columns: readonly Width[], room: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural)
  let over = widths.reduce((sum, width) => sum + width, 0) - room
  for (; over > 0; over--) {
    const widest = widestThatGives(widths, columns)
    if (widest === undefined) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function widestThatGives(widths: readonly number[], columns: readonly Width[]): number | undefined {
  let widest: number | undefined
  for (const [index, width] of widths.entries()) {
    if (width <= (columns[index]?.least ?? 0)) continue
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index
  }
  return widest
}
