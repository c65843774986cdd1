import { once } from '../../contract/once.ts'
import { readGrade } from '../graders/grade-in-text.ts'
import { cardFacts, withoutLanguages } from './card-facts.ts'
import { readVariants } from './card-variants.ts'
import { words } from './text-similarity.ts'

/** More than the fields of one arrival and the lines that it is compared with. */
const keptMax = 500
const kept = new Map<string, CardText>()

export type CardText = ReturnType<typeof read>

/** What the rules of matching read in a label's field or a description, each part once. */
export function cardText(text: string): CardText {
  const known = kept.get(text)
  if (known) return known
  if (kept.size === keptMax) kept.clear()
  const fresh = read(text)
  kept.set(text, fresh)
  return fresh
}

/** `plainWords`: without the grade, languages, and variants. */
function read(text: string) {
  const graded = once(() => readGrade(text))
  const all = once((): readonly string[] => words(text))
  const varied = once(() => readVariants(graded().rest))
  const plainWords = once(() => {
    const plain = withoutLanguages(varied().rest)
    return plain === text ? all() : words(plain)
  })
  return { graded, facts: once(() => cardFacts(text, graded())), words: all, plainWords, varied }
}

export function wordsOf(fields: ReadonlyArray<string | null>): string[] {
  return [...new Set(fields.flatMap((field) => (field === null ? [] : cardText(field).words())))]
}
