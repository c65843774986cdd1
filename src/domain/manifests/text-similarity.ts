import { once } from '../../contract/once.ts'

/** The least similarity at which a description matches: 3/4 (decisions 6). */
export const similarityMin = 0.75

// Apostrophes join: "Blaine's" is one word, and the same as "Blaines".
const apostrophes = /['\u2019\u2018\u02bc\u02bb`\u00b4\uff07]/gu
// Accents and emoji modifiers; not the voicing marks of kana, which make other letters.
const marks = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/gu
// A decimal stays whole: a 9.5 is neither a 9 nor a 5.
// Made when it is first used: the classes of characters take a command that needs no words half a millisecond.
const word = once(() => /\d+\.\d+(?![\p{L}\p{N}\p{M}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)

/**
 * The different words of a name or description, in order of appearance: without accents, case, punctuation and the leading
 * zeros of numbers, so that "#004/102" gives 4 and 102 (decisions 6).
 */
export function words(text: string): string[] {
  // Before and after: some signs come apart into an apostrophe, or into a space and an accent.
  const decomposed = text
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(apostrophes, '')
    .replace(marks, '')
  const found = decomposed.toLowerCase().normalize('NFC').match(word()) ?? []
  return [...new Set(found.map(withoutLeadingZeros))]
}

/**
 * Sørensen-Dice similarity of two sets of words, 0 to 1: twice the shared words over the sum of both. A word that only
 * one side has always costs something, so "Charizard" alone is not every Charizard. Neither side may repeat a word.
 */
export function similarity(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b)
  const shared = a.filter((each) => other.has(each)).length
  return shared === 0 ? 0 : (2 * shared) / (a.length + b.length)
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, '')
}
