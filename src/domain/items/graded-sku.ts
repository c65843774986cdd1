import { sha256 } from '../computing.ts'
import { crockfordText } from '../crockford.ts'

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

/** Composed (NFC), in lower case: what SKUs are made with never changes. */
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
  return crockfordText(Buffer.from(sha256(text), 'hex').subarray(0, 5))
}
