/**
 * Parts of a term that say as much as the whole, in few trigrams: the index reads through the list of each that it is
 * given, also of those that a million items have. Names tell by how their words begin, numbers by how they end; of long
 * ones some of the other end too, for where all begin (or end) alike. A word of one or two characters is a trigram only
 * with what stands beside it.
 */
export function tellingParts(term: string): string[] {
  return [...term.matchAll(/([^\p{L}\p{N}]?)([\p{L}\p{N}]+)(?=([^\p{L}\p{N}]?))/gu)].flatMap(
    ([, before = '', word = '', after = '']) => {
      const length = [...word].length
      if (length >= 3) return (word.match(/\p{L}{3,}|\p{N}{3,}/gu) ?? [word]).flatMap(ends)
      return before !== '' || (length === 2 && after !== '') ? [before + word + after] : []
    },
  )
}

function ends(run: string): string[] {
  const characters = [...run]
  const isNumber = /^\p{N}/u.test(run)
  const begin = characters.slice(0, isNumber ? 3 : 4).join('')
  const end = characters.slice(isNumber ? -4 : -3).join('')
  if (characters.length > 6) return [begin, end]
  return [isNumber ? end : begin]
}
