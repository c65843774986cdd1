import type { MatchKey } from '../../contract/enums.ts'
import { oncePer } from '../../contract/once.ts'
import type { Item } from '../../contract/resources/item.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { graderOf, isBlank, isSameCertificate } from '../graders/certificate.ts'
import { areTwoGrades, gradeBeside, labelGrade, type NamedGrade } from '../graders/grade-in-text.ts'
import { readGrader } from '../graders/graders.ts'
import { areTwoCards, type CardFacts, labelFacts, mayBeTwoCards } from './card-facts.ts'
import { cardText, wordsOf } from './card-text.ts'
import { hasOtherWords } from './other-words.ts'
import { similarity, similarityMin } from './text-similarity.ts'

export type ArrivingItem = {
  [Field in 'grader' | 'grade' | 'cert_number']: Item[Field]
} & Pick<Item, 'type' | 'name' | 'sku' | 'set' | 'card_number'>

export type CandidateLine = Pick<ManifestLine, 'description' | 'grader' | 'cert_number' | 'sku'>

/** `score`: 1 for a key, the similarity to four decimals for a description. */
export type LineMatch = { key: MatchKey; score: number }

/** Matches by the strongest key that the line has (3.2, decisions 6). */
export function matchLine(item: ArrivingItem, line: CandidateLine): LineMatch | null {
  if (isSameCertificate(item, line)) return { key: 'cert_number', score: 1 }
  if (isSameProduct(item, line)) return { key: 'sku', score: 1 }
  const described = cardText(line.description)
  if (!isMatchedByDescription(line) || areTwoCards(itemFacts(item), described.facts())) return null
  const score = Math.max(0, ...arrivalWords(item).map((reading) => similarity(reading, described.words())))
  return score < similarityMin ? null : descriptionMatch(score)
}

/** Numbers that a line must not contradict (decisions 13). */
export const itemFacts = oncePer(({ name, set, card_number }: ArrivingItem): CardFacts => {
  const bare = (card_number ?? '').normalize('NFKC').trim()
  const number = /^[\p{L}\p{N}-]+(?:\.\d)?$/u.test(bare) ? `#${bare}` : bare
  return labelFacts(
    [name, set ?? '', number].map((field) => cardText(field).facts()),
    set,
  )
})

/** For an item scanned against a line. A text without words, such as punctuation, matches only the same text. */
export function matchScanned(item: ArrivingItem, line: CandidateLine): LineMatch | null {
  const match = matchLine(item, line)
  if (match || !isMatchedByDescription(line) || item.name !== line.description) return match
  return descriptionMatch(1)
}

export function descriptionMatch(similarity: number): LineMatch {
  return { key: 'description', score: Math.round(similarity * 10_000) / 10_000 }
}

/** Ways in which a partner may have written the item; the letters of its card number may stand alone. The best one counts. */
export function arrivalWords(item: ArrivingItem): string[][] {
  const { name, set, card_number, grader, grade } = item
  const apart = card_number?.replace(/(?<=\p{L})(?=\d)/gu, ' ') ?? null
  const cards = [...new Set([card_number, apart])].map((number) => [name, set, number])
  const spelt = grade === 'A' ? 'Authentic' : grade
  const texts = [[name], ...cards, ...cards.map((card) => [...card, grader, spelt])]
  const readings = texts.map(wordsOf)
  return readings.filter((reading, at) => reading.join(' ') !== (readings[at - 1] ?? []).join(' '))
}

export function isMatchedByDescription(line: CandidateLine): boolean {
  return isBlank(line.cert_number) && isBlank(line.sku)
}

/** From the line alone: one found by SKU or description may name what the arrival contradicts (2.6, 3.2, decisions 2, 13). */
export function derivedFlags(item: ArrivingItem, line: CandidateLine): string[] {
  if (!isBlank(line.cert_number)) return isSameCertificate(item, line) ? [] : ['cert_mismatch']
  if (!isMatchedByDescription(line)) return []
  if (!isBlank(line.grader) && isBlank(item.grader)) return ['wrong_item']
  const described = cardText(line.description)
  const [one, other] = [itemGrade(item), lineGrade(line, item.grader)]
  const unclear = other ? undefined : described.graded().unclear
  const facts = itemFacts(item)
  const label = unclear ? { ...facts, loose: [...facts.loose, one?.grade ?? ''] } : facts
  const grader = isBlank(line.grader) ? (unclear?.grader ?? null) : line.grader
  const isOtherLabel =
    hasConflictingGrader(item, { ...line, grader }) ||
    mayBeTwoCards(label, described.facts()) ||
    hasOtherWords(item, line.description)
  return [
    ...(isOtherLabel ? ['label_mismatch'] : []),
    ...(one && other && areTwoGrades(one, other) ? ['grade_mismatch'] : []),
  ]
}

function itemGrade({ grader, grade, name }: ArrivingItem): NamedGrade | undefined {
  return isBlank(grader) || isBlank(grade) ? cardText(name).graded().grade : labelGrade(grader, grade)
}

/** Partners write the grade into the description or next to the grader. */
export function lineGrade(
  { description, grader }: Pick<CandidateLine, 'description' | 'grader'>,
  unnamed = grader,
): NamedGrade | undefined {
  const named = cardText(description).graded().grade ?? gradeBeside(grader || unnamed || '', description)
  if (named || isBlank(grader)) return named
  const { name, grade } = readGrader(grader)
  return grade === null ? undefined : labelGrade(name, grade)
}

function hasConflictingGrader(item: ArrivingItem, line: CandidateLine): boolean {
  const [one, other] = [graderOf(item), graderOf(line)]
  return one !== null && other !== null && one !== other
}

function isSameProduct(item: ArrivingItem, line: CandidateLine): boolean {
  return item.type === 'product' && !isBlank(line.sku) && item.sku === line.sku
}
