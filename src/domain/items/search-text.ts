/** Separates the forms of a text. No term contains it or the line break that ends a name. */
const separator = '\u001f'

/** `search` looks in the name and the SKU, a line each (4.3). */
export function searchText(item: { name: string; sku: string }): string {
  return [item.name, item.sku].map((text) => searchForms(onOneLine(text)).join(separator)).join('\n')
}

export function skuText(sku: string): string {
  return searchForms(sku).join(separator)
}

/** Forms of a search term, any of which may match. On one line, so that it cannot span from a name into its SKU. */
export function searchTerm(text: string): string[] {
  return searchForms(onOneLine(text))
}

/** Composed (NFKC) and folded, and also only folded if that differs: part of a name may compose differently (decisions 12). */
export function searchForms(text: string): string[] {
  const written = text.replaceAll(separator, ' ')
  return [...new Set([foldCase(written.normalize('NFKC')).normalize('NFC'), foldCase(written)])]
}

function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}

/** Full case folding of Unicode (CaseFolding.txt, C and F); `toLowerCase` looks at the neighbours of a sigma. */
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

/** Lower case of upper case, except the dotless i, which folds to itself, and Cherokee, which folds to upper case. */
function foldCharacter(character: string): string {
  if (character === 'ı') return character
  if (/\p{Script=Cherokee}/u.test(character)) return character.toUpperCase()
  const upper = mapped(character.toLowerCase(), 'toUpperCase')
  return mapped(upper, 'toLowerCase')
}

function mapped(text: string, to: 'toLowerCase' | 'toUpperCase'): string {
  return Array.from(text, (character) => character[to]()).join('')
}
