import stringWidth from 'string-width'

/** Cut to a width with an ellipsis; a wide character is never halved. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
