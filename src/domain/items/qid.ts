import { sha256 } from '../computing.ts'

export const qidRandomBytes = 11

/** `Q-XXXX-XXXX-XXXC` (decisions 2). Throws a RangeError on fewer than eleven bytes. */
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

/** Accepts lower case, missing dashes and O/I/L. Null counts as not found, even on a wrong check character (decisions 2). */
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
 * The checksum weighs characters with powers of alpha in the field of 32 elements. In the integers mod 32, even weights miss a
 * substitution by 16, and odd weights a swap by 16; in the field only 0 multiplies to 0, so every substitution and swap changes
 * the sum. This is one step of Horner's rule: times alpha, reduced by x^5 + x^2 + 1.
 */
function timesAlpha(value: number): number {
  const doubled = value << 1
  return doubled & 32 ? doubled ^ 0b100101 : doubled
}

function grouped(characters: string): string {
  return `Q-${characters.slice(0, 4)}-${characters.slice(4, 8)}-${characters.slice(8)}`
}

type GradedCard = Record<'grader' | 'grade' | 'name', string> & Record<'set' | 'card_number', string | null>

/** `GS-{GRADER}-{GRADE}-{8 base32 characters}`: equal slabs share one (decisions 2). */
export function gradedSku(card: GradedCard): string {
  const identity = [card.name, card.set, card.card_number].map(comparable).join('\u001f')
  return `GS-${part(card.grader)}-${part(card.grade)}-${shortHash(identity)}`
}

/** Must never change: SKUs are made with it. */
function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Spaces and case do not make a different card. */
function comparable(text: string | null): string {
  return foldText(text ?? '')
    .replace(/\s+/gu, ' ')
    .trim()
}

function part(text: string): string {
  const kept = text
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}.+]/gu, '')
  return kept === '' ? 'NA' : kept
}

function shortHash(text: string): string {
  const number = Number.parseInt(sha256(text).slice(0, 10), 16)
  const digits = number.toString(32).padStart(8, '0')
  return digits.replace(/./g, (digit) => crockfordCharacter(Number.parseInt(digit, 32)))
}

/** Crockford's base32: no I, L, O, U, so that a code can be read out and typed (decisions 2). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function crockfordCharacter(value: number): string {
  return alphabet.charAt(value & 31)
}

/** 0 to 31, accepting lower case and O/I/L; -1 for any other character. */
export function crockfordValue(character: string): number {
  if (!/^\w$/.test(character)) return -1
  return alphabet.indexOf(character.toUpperCase().replace('O', '0').replace(/[IL]/, '1'))
}
