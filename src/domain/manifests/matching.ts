import type { ItemType, MatchKey } from '../../contract/enums.ts'
import { certKey, graderOf, isSameCertificate } from '../graders/certificate.ts'
import { similarity, similarityMin, words } from './text-similarity.ts'

/** What matching knows of an arriving item. */
export type ArrivingItem = {
  type: ItemType
  name: string
  sku: string
  grader: string | null
  grade: string | null
  cert_number: string | null
  set: string | null
  card_number: string | null
}

/** What matching knows of an open line. */
export type CandidateLine = {
  description: string
  grader: string | null
  cert_number: string | null
  sku: string | null
}

/** By what an item belongs to a line, and how surely: 1 for a key, the similarity to four decimals for a description. */
export type LineMatch = { key: MatchKey; score: number }

/** Whether an arriving item may belong to an open line, by the strongest key that it has (3.2, decisions 6). */
export function matchLine(item: ArrivingItem, line: CandidateLine): LineMatch | null {
  if (isSameCertificate(item, line)) return { key: 'cert_number', score: 1 }
  if (isSameProduct(item, line)) return { key: 'sku', score: 1 }
  if (!isMatchedByDescription(line)) return null
  const lineWords = words(line.description)
  const score = Math.max(0, ...arrivalWords(item).map((reading) => similarity(reading, lineWords)))
  return score < similarityMin ? null : descriptionMatch(score)
}

/**
 * Whether an item belongs to the line that it was scanned against. A text without one word, as of signs alone, is the same only
 * where it is equal; nothing else is found by such a text.
 */
export function matchScanned(item: ArrivingItem, line: CandidateLine): LineMatch | null {
  const match = matchLine(item, line)
  if (match || !isMatchedByDescription(line) || item.name !== line.description) return match
  return descriptionMatch(1)
}

export function descriptionMatch(similarity: number): LineMatch {
  return { key: 'description', score: Math.round(similarity * 10_000) / 10_000 }
}

/**
 * The ways a partner may have written the item down, as words: its display name; with set and card number; with grader and
 * grade besides. The best of them counts. Readings that add no word are left out.
 */
export function arrivalWords(item: ArrivingItem): string[][] {
  const card = [item.name, item.set, item.card_number]
  const texts = [[item.name], card, [...card, item.grader, item.grade]]
  // What is null is joined as an empty text.
  const readings = texts.map((parts) => words(parts.join(' ')))
  return readings.filter((reading, at) => reading.length > (readings[at - 1]?.length ?? 0))
}

/** A description is compared only where the line gives no stronger key (decisions 6). */
export function isMatchedByDescription(line: CandidateLine): boolean {
  return isBlank(line.cert_number) && isBlank(line.sku)
}

/**
 * The flags that follow from the line itself; all others are the warehouse's to raise. A line found by its SKU or
 * description may name a certificate or grader that the arrival contradicts (2.6, 3.2, decisions 2).
 */
export function derivedFlags(item: ArrivingItem, line: CandidateLine): string[] {
  if (!isBlank(line.cert_number)) return isSameCertificate(item, line) ? [] : ['cert_mismatch']
  if (isBlank(line.grader) || isSameProduct(item, line)) return []
  if (isBlank(item.grader)) return ['wrong_item']
  return hasConflictingGrader(item, line) ? ['label_mismatch'] : []
}

function hasConflictingGrader(item: ArrivingItem, line: CandidateLine): boolean {
  const [one, other] = [graderOf(item), graderOf(line)]
  return one !== null && other !== null && one !== other
}

function isSameProduct(item: ArrivingItem, line: CandidateLine): boolean {
  return item.type === 'product' && !isBlank(line.sku) && item.sku === line.sku
}

/** Nothing is left to compare: not given, or only spaces and dashes. */
export function isBlank(text: string | null): text is null {
  return text === null || certKey(text) === ''
}
