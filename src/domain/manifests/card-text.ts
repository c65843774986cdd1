import { once } from '../../contract/once.ts'
import { type GradedText, readGrade } from '../graders/grade-in-text.ts'
import { type CardFacts, cardFacts, withoutLanguages } from './card-facts.ts'
import { words } from './text-similarity.ts'

/** What the rules of matching read in a label's field or a description. */
type CardText = {
  graded(): GradedText
  facts(): CardFacts
  words(): readonly string[]
  /** Without the grade and languages. */
  plainWords(): readonly string[]
}

/** More than the fields of one arrival and the lines that it is compared with. */
const keptMax = 500
const kept = new Map<string, CardText>()

/** Reads each part once, on first use. */
export function cardText(text: string): CardText {
  const known = kept.get(text)
  if (known) return known
  if (kept.size === keptMax) kept.clear()
  const graded = once(() => readGrade(text))
  const all = once(() => words(text))
  const plainWords = once(() => {
    const plain = withoutLanguages(graded().rest)
    return plain === text ? all() : words(plain)
  })
  const read = { graded, facts: once(() => cardFacts(text, graded())), words: all, plainWords }
  kept.set(text, read)
  return read
}

/** The words of several fields, as of one text. */
export function wordsOf(fields: ReadonlyArray<string | null>): string[] {
  return [...new Set(fields.flatMap((field) => (field === null ? [] : cardText(field).words())))]
}
