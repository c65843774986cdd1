/** The fault of a text that fails `isStorable`. */
export const unstorable = 'must be Unicode text (UTF-8) without U+0000 and without half a surrogate pair'

/**
 * Whether every database keeps the text as it is: U+0000 and half a surrogate pair are in no UTF-8 text of theirs. Bytes that
 * are no UTF-8 are read as half a pair wherever there is a name to refuse them by.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
