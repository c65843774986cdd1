import { crockfordText } from '../crockford.ts'
import { foldText } from '../manifests/normalise.ts'

/** What two slabs must have in common to be the same stock. */
interface GradedCard {
  grader: string
  grade: string
  name: string
  set: string | null
  card_number: string | null
}

/** The graded-item SKU, `GS-{GRADER}-{GRADE}-{8 base32 characters}`: equal slabs share one (decisions 2). */
export function gradedSku(card: GradedCard): string {
  const identity = [card.name, card.set, card.card_number].map(comparable).join('\u001f')
  return `GS-${part(card.grader)}-${part(card.grade)}-${shortHash(identity)}`
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

/** Loaded when first needed: most commands never hash, and node:crypto takes 4 ms. */
function shortHash(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return crockfordText(createHash('sha256').update(text, 'utf8').digest().subarray(0, 5))
}
