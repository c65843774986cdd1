/** What a text that fails `isStorable` is told. */
export const unstorable = 'must not hold the character U+0000 or half a surrogate pair'

/** Whether every database keeps the text as it is: U+0000 and half a surrogate pair are in no UTF-8 text of theirs. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
