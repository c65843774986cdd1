import { once } from '../../contract/once.ts'

/** Minimum similarity of a match by description (decisions 6). */
export const similarityMin = 0.75

// Apostrophes join: "Blaine's" is one word, and the same as "Blaines".
const apostrophes = /['\u2019\u2018\u02bc\u02bb`\u00b4\uff07]/gu
// Accents and emoji modifiers; not the voicing marks of kana, which make other letters.
const marks = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/gu
// A decimal stays whole: a 9.5 is neither a 9 nor a 5. Compiled on first use: the character classes take half a millisecond.
const word = once(() => /\d+\.\d+(?![\p{L}\p{N}\p{M}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)

/** Without accents, case, punctuation and leading zeros: "#004/102" gives 4 and 102 (decisions 6). */
export function words(text: string): string[] {
  // Before and after: some signs decompose into an apostrophe, or into a space and an accent.
  const decomposed = text
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(apostrophes, '')
    .replace(marks, '')
  const found = decomposed.toLowerCase().normalize('NFC').match(word()) ?? []
  return [...new Set(found.map(withoutLeadingZeros))]
}

/** Sørensen-Dice: words on one side only cost, so "Charizard" alone is not every Charizard. Neither side may repeat a word. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b)
  const shared = a.filter((each) => other.has(each)).length
  return shared === 0 ? 0 : (2 * shared) / (a.length + b.length)
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, '')
}
