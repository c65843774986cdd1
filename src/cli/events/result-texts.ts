/** A JSON text's strings, and the marks between its values. A string without an end matches too: the search continues after it. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs

/** The texts of the elements of a page's `results`. */
export function resultTexts(page: string): string[] {
  const texts: string[] = []
  let depth = 0
  let name = ''
  /** Where an element of `results` begins; -1 outside. */
  let start = -1
  for (const { 0: token, index } of page.matchAll(tokens)) {
    if (token.startsWith('"')) {
      if (depth === 1) name = token
      continue
    }
    const isEnd = token === ']' || token === '}'
    if (start >= 0 && depth === 2 && (token === ',' || isEnd)) {
      const text = page.slice(start, index).trim()
      if (text !== '') texts.push(text)
      start = isEnd ? -1 : index + 1
    }
    if (token === '[' && depth === 1 && name === '"results"') start = index + 1
    if (depth === 1 && token === ',') name = ''
    if (token !== ',') depth += isEnd ? -1 : 1
  }
  return texts
}
