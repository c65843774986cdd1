import { once, oncePer } from '../../contract/once.ts'
import { readGrade } from '../graders/grade-in-text.ts'

/** The numbers that distinguish two cards of one name. A text may give several of a kind, or none. */
export type CardFacts = {
  /** As in `#199`, `No. 25`, or `OP01-120`. */
  numbers: string[]
  /** As in `199/165`, which may be a serial number, or `/99`, a print run alone. */
  fractions: string[]
  /** For a season such as 1996-97, the first year, as on labels. Two digits for '97. */
  years: string[]
  /** As in `2`, `SWSH050`, `T87-24`, or `84A-KG` without a sign: numbers of the card, its set, or neither. With leading zeros. */
  loose: string[]
  /** The first two letters of each. A card that names none is English. */
  languages: string[]
  /** As in `GER`: a language, or the player's country. */
  countries: string[]
}

const none = (): CardFacts => ({
  numbers: [],
  fractions: [],
  years: [],
  loose: [],
  languages: [],
  countries: [],
})

export const noFacts: CardFacts = none()

/** The first letters of a language's other names. */
const languages = new Map(
  'jp:ja 日:ja ge:de es:sp pt:po kr:ko 한:ko cn:ch 中:ch nl:du si:ch-s s-:ch-s tr:ch-t t-:ch-t'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

const patterns = once(() => ({
  language:
    /\b(?:(?:simplified|traditional|s-|t-) ?chinese|chinese \(?(?:simplified|traditional)|japanese|japonais|japanisch|jpn|jap|jp|ja|german|deutsch|de(?! l(?:a|os|as)\b)|french|français|francais|fr|italian|italiano|it|spanish|español|espanol|es|portuguese|português|portugues|pt|korean|kr|chinese|cn|thai|indonesian|dutch|nl|russian|polish)\b|日(?=本)|한(?=국어)|中(?=文)/gi,
  country: /\b(?:japan|ger|fra|ita|esp|por|kor|chn|ned|pol)\b/gi,
  /** Prices, populations, quantities, hit points, and first editions. */
  noNumber:
    /[$\u20ac\u00a3] ?\d[\d.,]*|\b(?:pop|population|lot of):? \d+\b|\b\d{2,3} ?HP\b|\b\d{1,3}x\b|(?<![#./-])\b1e\b(?![/-])/giu,
  season: /(?<![\p{L}\p{N}#./])((?:18|19|20)\d\d) ?[-/\u2013] ?(\d{4}|\d\d?)(?![\p{L}\p{N}/])/gu,
  shortSeason: /(?<![\p{L}\p{N}#./-])(\d\d)[-\u2013](\d\d)(?![\p{L}\p{N}/-])/gu,
  // One Piece, Yu-Gi-Oh!, Digimon, and Vanguard print the set into the number.
  code: /(?<![\p{L}\p{N}-])((?:[A-Z]-)?[A-Z]{1,5}(?:\d{0,2}-[A-Z]{0,2}\d{3}|\d\d\/\d{3}|\d{5}|\d{1,2}-\d\d)(?:EN)?)(?!\/?[\p{L}\p{N}])/giu,
  // Japanese promos, as in `207/XY-P`.
  promo: /(?<![\p{L}\p{N}./-])(\d{1,4})\/(\p{L}{1,4}-\p{L})(?![\p{L}\p{N}])/gu,
  fraction:
    /(?<![\p{L}\p{N}./-])(\p{L}{0,4}\d{1,4}\p{L}?)(?: ?\/ ?| of )(\p{L}{0,4}\d{1,4})(?!\/?[\p{L}\p{N}])/gu,
  // A fraction in a file's name, where a dash replaces the slash, as in `199-165`.
  dashed: /(?<![\p{L}\p{N}#./-])(\d{1,3})-(\d{3})(?![/-]?[\p{L}\p{N}]|\.\d)/gu,
  run: /(?:(?:(?<![\p{L}\p{N}/])|(?<=#'?d)|\bx{1,3})\/|(?:#'?d|\bnumbered) to )(\d{1,4})(?!\/?[\p{L}\p{N}])/giu,
  number: /(?:#|\bn[or]\.) ?([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*(?:\.\d(?!\d))?)/giu,
  year: /(?<![\p{L}\p{N}#./]|\d-)((?:18[89]|19\d|20[0-4])\d)(?![\p{L}\p{N}]|\.\d)/gu,
  shortYear: /(?<![\p{L}\p{N}])['\u2019](\d\d)(?![\p{L}\p{N}])/gu,
  loose:
    /(?<![\p{L}\p{N}#./-])((?:\p{L}{1,5}(?:-(?:[\p{L}\p{N}]{1,3}-)?)?|[\p{L}\p{N}]{1,5}-\p{L}{0,3}|\d\p{L}{1,3}|\d\d\.)?\d{1,4}\p{L}?|\d{1,3}\p{L}?-\p{L}{2,3})(?![\p{L}\p{N}]|[/-][\p{L}\p{N}]|\.\d)/gu,
}))

export function cardFacts(text: string, graded = readGrade(text)): CardFacts {
  const facts = none()
  const found = patterns()
  let { rest } = graded
  facts.languages.push(...(rest.match(found.language) ?? []).map(languageOf))
  facts.countries.push(...(rest.match(found.country) ?? []).map(languageOf))
  if (!/\d|#\p{L}+-/u.test(rest)) return facts
  rest = rest.replace(found.noNumber, ' ')
  const take = (pattern: RegExp, add: (groups: string[]) => boolean | number): void => {
    rest = rest.replace(pattern, (whole, ...groups) => (add(groups) ? ' ' : whole))
  }
  const takeSeason = ([from = '', to = '']: string[]): boolean | number =>
    isNextYear(from, to) && facts.years.push(from)
  take(found.season, takeSeason)
  take(found.shortSeason, takeSeason)
  take(found.promo, ([card = '', code = '']) => facts.numbers.push(plain(`${code}${card}`)))
  take(found.code, ([card = '']) => facts.numbers.push(plain(card)))
  for (const pattern of [found.fraction, found.dashed])
    take(pattern, ([card = '', total = '']) => facts.fractions.push(`${plain(card)}/${plain(total)}`))
  take(found.run, ([total = '']) => facts.fractions.push(`/${plain(total)}`))
  take(found.number, ([card = '']) => /[\d-]/.test(card) && facts.numbers.push(plain(card)))
  take(found.year, ([named = '']) => facts.years.push(named))
  take(found.shortYear, ([named = '']) => facts.years.push(named))
  for (const [, card = ''] of rest.matchAll(found.loose)) facts.loose.push(joined(card))
  return facts
}

export function withoutLanguages(text: string): string {
  return text.replace(patterns().language, ' ').replace(patterns().country, ' ')
}

function languageOf(word: string): string {
  const letters = word
    .toLowerCase()
    .replace(/^chinese \(?/, '')
    .slice(0, 2)
  return languages.get(letters) ?? letters
}

function isNextYear(from: string, to: string): boolean {
  const digits = from.length === 4 && to.length === 1 ? 10 : 100
  return Number(to) % digits === (Number(from) + 1) % digits
}

export function labelFacts(fields: readonly CardFacts[], set: string | null): CardFacts {
  const merged = none()
  for (const facts of fields)
    for (const kind of Object.keys(merged) as Array<keyof CardFacts>) merged[kind].push(...facts[kind])
  const [code, another] = (set ?? '').match(/(?<![\p{L}\p{N}])\p{L}{1,5}\d\d(?![\p{L}\p{N}])/gu) ?? []
  if (code && !another) merged.numbers = merged.numbers.map((number) => withSet(number, code))
  return merged
}

/** `120` of the set OP01 is OP01-120. */
function withSet(number: string, code: string): string {
  return /^\d{1,3}$/.test(number) ? plain(`${code}-${number.padStart(3, '0')}`) : number
}

/** Two cards if both sides name numbers of one kind, or languages, and agree on none (decisions 13). */
export function areTwoCards(one: CardFacts, other: CardFacts): boolean {
  if (differ(one.years, other.years, isSameYear)) return true
  if (differ(one.languages, other.languages, isSameLanguage)) return true
  const [a, b] = [withoutSeasons(one, other), withoutSeasons(other, one)]
  if (differ(a.fractions, b.fractions, isSameFraction)) return true
  const haveNumbers = a.numbers.length > 0 && b.numbers.length > 0
  const haveFractions = a.fractions.length > 0 && b.fractions.length > 0
  if ((haveNumbers || !haveFractions) && differ(certainNumbers(a), certainNumbers(b), isSameNumber))
    return true
  return hasRivals(a, b, (x, y) => x.letters !== '' && x.letters === y.letters)
}

/** True if numbers differ that may be of the set, a player's shirt, or a print run, or if only one side names a language. */
export function mayBeTwoCards(label: CardFacts, described: CardFacts): boolean {
  const [a, b] = [withoutSeasons(label, described), withoutSeasons(described, label)]
  if (hasOtherLanguage(a, b) || hasOtherLanguage(b, a)) return true
  if (a.years.length > 0 && b.years.length === 0 && b.fractions.some((text) => isOtherSeason(text, a)))
    return true
  return hasRivals(a, b, (x, y) => {
    if (x.letters === '' || y.letters === '') return !isSetCode(y) || x.digits.length < 3
    // The set of `OP01-120` may stand alone.
    return x.letters === y.letters || !x.text.startsWith(y.letters + y.digits)
  })
}

function hasOtherLanguage({ languages }: CardFacts, other: CardFacts): boolean {
  const named = [...other.languages, ...other.countries]
  return languages.some((one) => !named.some((name) => isSameLanguage(one, name)))
}

/** `Chinese` may be either script. */
function isSameLanguage(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
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

/** Next to a card number, `12/50` counts the copies. Kept: the facts of one card are compared with those of many lines. */
const cardNumbers = oncePer(({ numbers, fractions, loose }: CardFacts): readonly CardNumber[] => {
  const ofCard = numbers.length > 0 ? fractions.filter((text) => !isPrintRun(text)) : fractions
  const certain = [...new Set([...numbers, ...ofCard.flatMap(cardOf)])]
  return [
    ...certain.map((text) => ({ text, isLoose: false, ...partsOf(text) })),
    ...loose.map((text) => ({ text, isLoose: true, ...partsOf(text) })),
  ]
})

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

/** Drops seasons: next to a label of 2018, `18/19` is one. */
function withoutSeasons(facts: CardFacts, { years }: CardFacts): CardFacts {
  const fractions = facts.fractions.filter((text) => {
    const [from = ''] = text.split('/')
    return !isSeason(text) || !years.some((year) => isSameYear(year, from.padStart(2, '0')))
  })
  return fractions.length === facts.fractions.length ? facts : { ...facts, fractions }
}

/** True for `19/20` next to a label of 2018, unless it is the label's number. */
function isOtherSeason(fraction: string, label: CardFacts): boolean {
  if (!isSeason(fraction)) return false
  const numbers = cardNumbers(label).filter(({ isLoose }) => !isLoose)
  return cardOf(fraction).every((card) => !numbers.some((number) => isOneNumber(number, partsOf(card))))
}

function isSeason(fraction: string): boolean {
  const [from = '', to = ''] = fraction.split('/')
  return /^\d\d?\/\d\d?$/.test(fraction) && isNextYear(from, to)
}

/** `45/99` may be the copy of a card with another number; so may `18/19` be a season. */
function certainNumbers({ numbers, fractions }: CardFacts): string[] {
  const ofSets = fractions.filter((text) => !isPrintRun(text) && !isSeason(text))
  return [...numbers, ...ofSets.flatMap(cardOf)]
}

function isPrintRun(fraction: string): boolean {
  return printRuns.has(fraction.slice(fraction.indexOf('/') + 1))
}

const printRuns = new Set(
  '1 2 3 5 8 10 15 20 25 30 35 40 49 50 60 65 70 75 80 85 90 99 100 125 149 150 175 199 200 225 249 250 275 299 300 350 399 400 499 500 599 699 750 799 899 999 1000 1999'.split(
    ' ',
  ),
)

/** Empty for a print run alone. */
function cardOf(fraction: string): string[] {
  return fraction.startsWith('/') ? [] : [fraction.replace(/\/.*/, '')]
}

function isSameFraction(a: string, b: string): boolean {
  const [one = '', ofOne = ''] = a.split('/')
  const [other = '', ofOther = ''] = b.split('/')
  return (one === '' || other === '' || isSameNumber(one, other)) && isSameNumber(ofOne, ofOther)
}

/** `120` is `OP1-120`, and `20` is `SWSH20`: a label may leave out the set. `CPA-EDC` may have a `#24` next to it. */
function isSameNumber(a: string, b: string): boolean {
  return a === b || /\d/.test(a) !== /\d/.test(b) || isOneNumber(partsOf(a), partsOf(b))
}

type Parts = Pick<CardNumber, 'letters' | 'digits'>

function isOneNumber(a: Parts, b: Parts): boolean {
  return a.digits === b.digits && (a.letters === b.letters || a.letters === '' || b.letters === '')
}

/** The digits at the end with a letter after them, as in `11A`, and everything before them. */
function partsOf(text: string): Parts {
  const at = Math.max(0, text.search(/(?<![\d.])\d{1,9}\p{L}?$/u))
  return { letters: withoutZeros(text.slice(0, at)), digits: withoutZeros(text.slice(at)) }
}

function isSameYear(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a)
}

/** In capitals, without leading zeros: `sv049` is SV49. */
function plain(text: string): string {
  return withoutZeros(joined(text))
}

/** In one spelling: `SVP-EN-085` is SVP085; `LOB-EN005` and `LOB-E005` are LOB005; `OP01026` and `OP01/026EN` are OP01-026. */
function joined(text: string): string {
  return text
    .toUpperCase()
    .replace(/(?<=\p{L})-(?:EN?-?)?(?=\d)|(?<=\d)EN$/gu, '')
    .replace(/(?<=^\p{L}{1,5}\d\d)[/-]?(?=\d{3}$)/u, '-')
}

function withoutZeros(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, ''))
}
