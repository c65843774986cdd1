import { crockfordCharacter, crockfordValue } from '../crockford.ts'

/** Bytes that `makeQid` takes: one for each random character. */
export const qidRandomBytes = 11

/**
 * A new QID, `Q-XXXX-XXXX-XXXC`, from at least eleven random bytes (decisions 2).
 * Throws a RangeError when there are fewer.
 */
export function makeQid(random: Uint8Array): string {
  if (random.length < qidRandomBytes) throw new RangeError(`A QID takes ${qidRandomBytes} random bytes.`)
  let body = ''
  let sum = 0
  for (const byte of random.subarray(0, qidRandomBytes)) {
    body += crockfordCharacter(byte)
    sum = timesAlpha(sum) ^ (byte & 31)
  }
  return grouped(body + crockfordCharacter(timesAlpha(sum)))
}

/**
 * The canonical form of a QID as someone typed it: lower case, missing dashes and O/I/L are accepted.
 * Null when it is no QID or its check character is wrong; to the caller that is simply not found (decisions 2).
 */
export function canonicalQid(text: string): string | null {
  const groups = /^Q-?(\w{4})-?(\w{4})-?(\w{4})$/i.exec(text)
  if (groups === null) return null
  let body = ''
  let sum = 0
  for (const character of `${groups[1]}${groups[2]}${groups[3]}`) {
    const value = crockfordValue(character)
    if (value < 0) return null
    body += crockfordCharacter(value)
    sum = timesAlpha(sum) ^ value
  }
  return sum === 0 ? grouped(body) : null
}

/**
 * The check sum weighs each character with another power of alpha, in the field of 32 elements and not in the integers
 * mod 32: there, even weights miss a substitution by 16, and between odd weights a swap by 16 goes unnoticed.
 * In the field nothing but 0 multiplies to 0, so every substitution and every swap changes the sum.
 * This is one step of Horner's rule: times alpha, reduced by x^5 + x^2 + 1.
 */
function timesAlpha(value: number): number {
  const doubled = value << 1
  return doubled & 32 ? doubled ^ 0b100101 : doubled
}

function grouped(characters: string): string {
  return `Q-${characters.slice(0, 4)}-${characters.slice(4, 8)}-${characters.slice(8)}`
}
