import stringWidth from 'string-width'
import { once } from '../../contract/once.ts'

/** Made on first use, because the first one of a process takes 10 ms. */
const segmenter = once(() => new Intl.Segmenter())

/** Cuts with an ellipsis, but never within a wide character. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let room = width - 1
  for (const { segment } of segmenter().segment(text)) {
    room -= displayWidth(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Caches recent widths: cli-table3, whose own measure the build replaces with this one, asks ten times per cell. */
const known = new Map<string, number>()
const knownMax = 1000

export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  const found = known.get(text)
  if (found !== undefined) return found
  if (known.size === knownMax) known.clear()
  const width = stringWidth(text)
  known.set(text, width)
  return width
}
