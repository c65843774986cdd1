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
  /** As in `2`, `SWSH050`, or `BCP-24` without a sign: numbers of the card, its set, or neither. With leading zeros. */
  loose: string[]
}

export const noFacts: CardFacts = { numbers: [], fractions: [], years: [], loose: [] }

// Compiled on first use: most commands read no description.
const patterns = once(() => ({
  /** Prices, populations, quantities, and hit points. */
  noNumber: /[$\u20ac\u00a3] ?\d[\d.,]*|\b(?:pop|population|lot of):? \d+\b|\b\d{2,3} ?HP\b/giu,
  season: /(?<![\p{L}\p{N}#./])((?:18|19|20)\d\d)[-/\u2013](\d{4}|\d\d)(?![\p{L}\p{N}/])/gu,
  shortSeason: /(?<![\p{L}\p{N}#./-])(\d\d)[-\u2013](\d\d)(?![\p{L}\p{N}/-])/gu,
  fraction:
    /(?<![\p{L}\p{N}./-])(\p{L}{0,4}\d{1,4}\p{L}?)(?: ?\/ ?| of )(\p{L}{0,4}\d{1,4})(?![\p{L}\p{N}/])/gu,
  number: /(?:#|\u2116|\bn[or]\.) ?([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)/giu,
  // One Piece, Yu-Gi-Oh!, and Digimon print the set into the number.
  code: /(?<![\p{L}\p{N}-])([A-Z]{1,5}(?:\d{0,2}-[A-Z]{0,2}\d{3}|\d{1,2}-\d\d))(?![\p{L}\p{N}])/giu,
  year: /(?<![\p{L}\p{N}#./]|\d-)((?:18[89]|19\d|20[0-4])\d)(?![\p{L}\p{N}]|\.\d)/gu,
  shortYear: /(?<![\p{L}\p{N}])['\u2019](\d\d)(?![\p{L}\p{N}])/gu,
  loose: /(?<![\p{L}\p{N}#./-])((?:\p{L}{1,5}-?)?\d{1,3})(?![\p{L}\p{N}/-]|\.\d)/gu,
}))

export function cardFacts(text: string): CardFacts {
  const facts: CardFacts = { numbers: [], fractions: [], years: [], loose: [] }
  if (!/\d/.test(text)) return facts
  const found = patterns()
  let rest = withoutGrade(text.normalize('NFKC')).replace(found.noNumber, ' ')
  const take = (pattern: RegExp, add: (groups: string[]) => boolean | number): void => {
    rest = rest.replace(pattern, (whole, ...groups) => (add(groups) ? ' ' : whole))
  }
  const takeSeason = ([from = '', to = '']: string[]): boolean | number =>
    isNextYear(from, to) && facts.years.push(from)
  take(found.season, takeSeason)
  take(found.shortSeason, takeSeason)
  take(found.fraction, ([card = '', total = '']) => facts.fractions.push(`${plain(card)}/${plain(total)}`))
  take(found.number, ([card = '']) => /\d/.test(card) && facts.numbers.push(plain(card)))
  take(found.code, ([card = '']) => facts.numbers.push(plain(card)))
  take(found.year, ([named = '']) => facts.years.push(named))
  take(found.shortYear, ([named = '']) => facts.years.push(named))
  for (const [, card = ''] of rest.matchAll(found.loose)) facts.loose.push(joined(card))
  return facts
}

function isNextYear(from: string, to: string): boolean {
  return Number(to) % 100 === (Number(from) + 1) % 100
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
export function areTwoCards(one: CardFacts, other: CardFacts): boolean {
  if (differ(one.years, other.years, isSameYear)) return true
  const [a, b] = [withoutSeasons(one, other), withoutSeasons(other, one)]
  if (differ(a.fractions, b.fractions, isSameFraction)) return true
  if (differ(a.numbers, b.numbers, isSameNumber)) return true
  const hasOneKind =
    (a.numbers.length > 0 && b.numbers.length > 0) || (a.fractions.length > 0 && b.fractions.length > 0)
  if (!hasOneKind && differ(certainNumbers(a), certainNumbers(b), isSameNumber)) return true
  return hasRivals(a, b, (x, y) => x.letters !== '' && x.letters === y.letters)
}

/** Numbers that differ, but may be of the set, a player's shirt, or a print run. */
export function mayBeTwoCards(label: CardFacts, described: CardFacts): boolean {
  return hasRivals(withoutSeasons(label, described), withoutSeasons(described, label), (x, y) => {
    if (x.letters !== '' && y.letters !== '') return x.letters === y.letters
    return !isSetCode(y) || x.digits.length < 3
  })
}

type CardNumber = { text: string; letters: string; digits: string; isLoose: boolean }

/** Whether numbers that the other side lacks may stand for one another. */
function hasRivals(
  a: CardFacts,
  b: CardFacts,
  areRivals: (x: CardNumber, y: CardNumber) => boolean,
): boolean {
  const [ones, others] = [cardNumbers(a), cardNumbers(b)]
  const left = without(others, ones)
  return left.length > 0 && without(ones, others).some((x) => left.some((y) => areRivals(x, y)))
}

function cardNumbers(facts: CardFacts): CardNumber[] {
  const certain = [...new Set(allNumbers(facts))].map((text) => ({ text, isLoose: false }))
  const loose = facts.loose.map((text) => ({ text, isLoose: true }))
  return [...certain, ...loose].map((number) => ({ ...number, ...partsOf(number.text) }))
}

/** Each of the others removes one, so that a card's number is not taken for an equal one of its set. */
function without(numbers: readonly CardNumber[], others: readonly CardNumber[]): CardNumber[] {
  const left = [...others]
  return numbers.filter((number) => {
    const at = left.findIndex((other) => isOneNumber(other, number))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** As in `SV3 Obsidian Flames`, which cannot be the card `#125`. */
function isSetCode({ text, letters, isLoose }: CardNumber): boolean {
  return isLoose && letters !== '' && text.length - letters.length < 3
}

function differ(
  a: readonly string[],
  b: readonly string[],
  isSame: (a: string, b: string) => boolean,
): boolean {
  return a.length > 0 && b.length > 0 && !a.some((one) => b.some((other) => isSame(one, other)))
}

/** `18/19` is a season next to a label of 2018. */
function withoutSeasons(facts: CardFacts, { years }: CardFacts): CardFacts {
  const fractions = facts.fractions.filter((text) => {
    const [from = '', to = ''] = text.split('/')
    return !/^\d\d$/.test(from) || !isNextYear(from, to) || !years.some((year) => isSameYear(year, from))
  })
  return fractions.length === facts.fractions.length ? facts : { ...facts, fractions }
}

function allNumbers({ numbers, fractions }: CardFacts): string[] {
  return [...numbers, ...fractions.map(cardOf)]
}

/** `45/99` may be the copy of a card with another number; so may `18/19` be a season. */
function certainNumbers({ numbers, fractions }: CardFacts): string[] {
  const ofSets = fractions.filter((text) => {
    const total = text.slice(text.indexOf('/') + 1)
    return !printRuns.has(total) && !(/^\d\d\/\d\d$/.test(text) && isNextYear(cardOf(text), total))
  })
  return [...numbers, ...ofSets.map(cardOf)]
}

const printRuns = new Set(
  '1 2 3 5 8 10 15 20 25 30 35 40 49 50 60 65 70 75 80 85 90 99 100 125 149 150 175 199 200 225 249 250 275 299 300 350 399 400 499 500 599 699 750 799 899 999 1000 1999'.split(
    ' ',
  ),
)

function cardOf(fraction: string): string {
  return fraction.replace(/\/.*/, '')
}

function isSameFraction(a: string, b: string): boolean {
  const [one = '', ofOne = ''] = a.split('/')
  const [other = '', ofOther = ''] = b.split('/')
  return isSameNumber(one, other) && isSameNumber(ofOne, ofOther)
}

/** `120` is `OP1-120`, and `20` is `SWSH20`: a label may leave out the set. */
function isSameNumber(a: string, b: string): boolean {
  return a === b || isOneNumber(partsOf(a), partsOf(b))
}

type Parts = Pick<CardNumber, 'letters' | 'digits'>

function isOneNumber(a: Parts, b: Parts): boolean {
  return a.digits === b.digits && (a.letters === b.letters || a.letters === '' || b.letters === '')
}

/** The digits at the end with a letter after them, as in `11A`, and everything before them. */
function partsOf(text: string): Parts {
  const at = text.search(/(?<!\d)\d{1,9}\p{L}?$/u)
  return { letters: text.slice(0, Math.max(0, at)), digits: withoutZeros(text.slice(Math.max(0, at))) }
}

function isSameYear(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a)
}

/** In capitals, without leading zeros: `sv049` is SV49. */
function plain(text: string): string {
  return withoutZeros(joined(text))
}

/** In capitals: `bcp-24` is BCP24, and `LOB-EN005`, as later prints have it, LOB005. */
function joined(text: string): string {
  return text.toUpperCase().replace(/(?<=\p{L})-(?:EN)?(?=\d)/gu, '')
}

function withoutZeros(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ''))
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
