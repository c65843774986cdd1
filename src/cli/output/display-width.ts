import stringWidth from 'string-width'

/** The widths of recent texts. cli-table3, whose own measure the build replaces by this one, asks ten times for each cell. */
const known = new Map<string, number>()
const knownMax = 1000

/** The width of text on a terminal. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  const found = known.get(text)
  if (found !== undefined) return found
  if (known.size === knownMax) known.clear()
  const width = stringWidth(text)
  known.set(text, width)
  return width
}
