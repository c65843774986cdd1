import { displayWidth } from './display-width.ts'

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
