/**
 * Full case folding of Unicode (CaseFolding.txt, C and F): each character by itself, where `toLowerCase` looks at what
 * stands beside a sigma.
 */
export function foldCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+|(?!\p{ASCII})\p{Cased}/gu, folded)
}

/** Filled on demand: there are some thousands beyond ASCII. */
function folded(part: string): string {
  if (/^[A-Z]/.test(part)) return part.toLowerCase()
  const known = foldedCharacters.get(part) ?? foldCharacter(part)
  foldedCharacters.set(part, known)
  return known
}

const foldedCharacters = new Map<string, string>()

/** Lower case of upper case, but for the dotless i, which folds to itself, and Cherokee, which folds to upper case. */
function foldCharacter(character: string): string {
  if (character === 'ı') return character
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase()
  const upper = mapped(character.toLowerCase(), 'toUpperCase')
  return mapped(upper, 'toLowerCase')
}

function mapped(text: string, to: 'toLowerCase' | 'toUpperCase'): string {
  return Array.from(text, (character) => character[to]()).join('')
}
