/**
 * Parts of a term that narrow a search as well as the whole, in few trigrams: the index reads each one's full list, up to a
 * million entries. Words differ at their start, numbers at their end; long ones add the other end, for sets that begin (or end)
 * alike. One or two characters form a trigram only with their neighbors.
 */
export function selectiveParts(term: string): string[] {
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
