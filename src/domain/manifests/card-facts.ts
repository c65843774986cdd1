import { once } from '../../contract/once.ts'
import { withoutGrade } from '../graders/grade-in-text.ts'

/** The numbers that distinguish two cards of one name. A text may give several of a kind, or none. */
export type CardFacts = {
  /** As in `#199`, `No. 25`, or `OP01-120`. */
  numbers: string[]
  /** As in `199/165`, which may be a serial number. */
  fractions: string[]
  /** For a season such as 1996-97, the first year, as on labels. Two digits for '97. */
  years: string[]
  /** As in `2` or `SWSH050` without a sign: numbers of the card or of its set. They differ only from others with the same letters. */
  loose: string[]
}

export const noFacts: CardFacts = { numbers: [], fractions: [], years: [], loose: [] }

// Compiled on first use: most commands read no description.
const patterns = once(() => ({
  season: /(?<![\p{L}\p{N}#./])((?:18|19|20)\d\d)[-/\u2013](\d{4}|\d\d)(?![\p{L}\p{N}/])/gu,
  fraction: /(?<![\p{L}\p{N}./-])(\p{L}{0,4}\d{1,4}\p{L}?) ?\/ ?(\p{L}{0,4}\d{1,4})(?![\p{L}\p{N}/])/gu,
  number: /(?:#|\u2116|\bn[or]\.) ?([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)/giu,
  // One Piece, Yu-Gi-Oh!, and Digimon print the set into the number.
  code: /(?<![\p{L}\p{N}-])([A-Z]{2,5}\d{0,2}-[A-Z]{0,2}\d{3})(?![\p{L}\p{N}])/gu,
  shortCode: /(?<![\p{L}\p{N}-])([A-Z]{2,5}-\d{1,3})(?![\p{L}\p{N}-])/gu,
  year: /(?<![\p{L}\p{N}#./]|\d-)((?:18[89]|19\d|20[0-4])\d)(?![\p{L}\p{N}]|\.\d)/gu,
  shortYear: /(?<![\p{L}\p{N}])['\u2019](\d\d)(?![\p{L}\p{N}])/gu,
  loose: /(?<![\p{L}\p{N}#./-])(\p{Lu}{0,5}\d{1,3})(?![\p{L}\p{N}/-]|\.\d)/gu,
}))

export function cardFacts(text: string): CardFacts {
  const facts: CardFacts = { numbers: [], fractions: [], years: [], loose: [] }
  if (!/\d/.test(text)) return facts
  let rest = withoutGrade(text.normalize('NFKC'))
  const take = (pattern: RegExp, add: (groups: string[]) => boolean | number): void => {
    rest = rest.replace(pattern, (whole, ...groups) => (add(groups) ? ' ' : whole))
  }
  const { season, fraction, number, code, shortCode, year, shortYear, loose } = patterns()
  take(season, ([from = '', to = '']) => {
    const isNext = Number(to) % 100 === (Number(from) + 1) % 100
    return isNext && facts.years.push(from)
  })
  take(fraction, ([card = '', total = '']) => facts.fractions.push(`${plain(card)}/${plain(total)}`))
  take(number, ([card = '']) => /\d/.test(card) && facts.numbers.push(plain(card)))
  take(code, ([card = '']) => facts.numbers.push(plain(card)))
  take(year, ([named = '']) => facts.years.push(named))
  take(shortYear, ([named = '']) => facts.years.push(named))
  for (const [, card = ''] of rest.matchAll(loose)) facts.loose.push(plain(card))
  // A weaker form: next to a card's number, it may be a set's.
  if (facts.numbers.length + facts.fractions.length === 0)
    take(shortCode, ([card = '']) => facts.numbers.push(plain(card)))
  return facts
}

export function labelFacts(name: string, set: string | null, cardNumber: string | null): CardFacts {
  const bare = (cardNumber ?? '').normalize('NFKC').trim()
  const field = cardFacts(/^[\p{L}\p{N}-]+$/u.test(bare) ? `#${bare}` : bare)
  const facts = [cardFacts(name), cardFacts(set ?? ''), field]
  return {
    numbers: facts.flatMap(({ numbers }) => numbers),
    fractions: facts.flatMap(({ fractions }) => fractions),
    years: facts.flatMap(({ years }) => years),
    loose: facts.flatMap(({ loose }) => loose),
  }
}

/** Two cards if both sides name numbers of one kind and agree on none (decisions 13). */
export function areTwoCards(a: CardFacts, b: CardFacts): boolean {
  if (differ(a.years, b.years, isSameYear)) return true
  if (differ(a.fractions, b.fractions, isEqual)) return true
  if (differ(a.numbers, b.numbers, isSameNumber)) return true
  const hasOneKind =
    (a.numbers.length > 0 && b.numbers.length > 0) || (a.fractions.length > 0 && b.fractions.length > 0)
  if (!hasOneKind && differ(allNumbers(a), allNumbers(b), isSameNumber)) return true
  const [ones, others] = [
    without(looseNumbers(a), looseNumbers(b)),
    without(looseNumbers(b), looseNumbers(a)),
  ]
  return ones.some((one) => others.some((other) => lettersOf(one) === lettersOf(other)))
}

function looseNumbers(facts: CardFacts): string[] {
  return [...facts.loose, ...new Set(allNumbers(facts))]
}

/** Each of the others removes one, so that a card's number is not taken for an equal one of its set. */
function without(numbers: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return numbers.filter((number) => {
    const at = left.indexOf(number)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function lettersOf(number: string): string {
  return /^\D*/.exec(number)?.[0] ?? ''
}

function differ(
  a: readonly string[],
  b: readonly string[],
  isSame: (a: string, b: string) => boolean,
): boolean {
  return a.length > 0 && b.length > 0 && !a.some((one) => b.some((other) => isSame(one, other)))
}

function allNumbers({ numbers, fractions }: CardFacts): string[] {
  return [...numbers, ...fractions.map((text) => text.replace(/\/.*/, ''))]
}

/** `120` is `OP1-120`: a label may leave out the set. */
function isSameNumber(a: string, b: string): boolean {
  return a === b || a.endsWith(`-${b}`) || b.endsWith(`-${a}`)
}

function isSameYear(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a)
}

function isEqual(a: string, b: string): boolean {
  return a === b
}

/** In capitals, without leading zeros: `sv049` is SV49. */
function plain(text: string): string {
  return text.toUpperCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ''))
}

const languages = [
  /\b(?:japanese|japan|jpn|japonais|japanisch)\b|日本語/iu,
  /\b(?:german|deutsch)\b/iu,
  /\b(?:french|fran[cç]ais)\b/iu,
  /\b(?:italian|italiano)\b/iu,
  /\b(?:spanish|espa[nñ]ol)\b/iu,
  /\b(?:portuguese|portugu[eê]s)\b/iu,
  /\b(?:korean)\b|한국어/iu,
  /\b(?:chinese)\b|中文/iu,
  /\b(?:thai)\b/iu,
  /\b(?:indonesian)\b/iu,
  /\b(?:dutch)\b/iu,
  /\b(?:russian)\b/iu,
]

/** A card without a named language is English. */
export function areTwoLanguages(a: string, b: string): boolean {
  return languages.some((language) => language.test(a) !== language.test(b))
}
