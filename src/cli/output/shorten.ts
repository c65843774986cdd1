import stringWidth from 'string-width'

const segmenter = new Intl.Segmenter()

/** Cut to a width with an ellipsis; a wide character is never halved. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let room = width - 1
  for (const { segment } of segmenter.segment(text)) {
    room -= displayWidth(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

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
