export const unstorable = 'must be Unicode text (UTF-8) without U+0000 and without half a surrogate pair'

/** No database stores U+0000 or a lone surrogate. Invalid UTF-8 is read as the latter, so that an error can name its field. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
