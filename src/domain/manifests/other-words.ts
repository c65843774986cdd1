import { gradeIn, withoutGrade } from '../graders/grade-in-text.ts'
import { withoutLanguages } from './card-facts.ts'
import { words } from './text-similarity.ts'

type Label = { name: string; set: string | null; grader: string | null; grade: string | null }

/**
 * Whether a word stands in the place of another, as in `Pokemon Jungle` and `Pokemon Fossil`, or `PSA Ten` and `PSA 6`, or in the
 * place of the whole name. Words more or less do not count: few descriptions have exactly the words of a label.
 */
export function hasOtherWords({ name, set, grader, grade }: Label, description: string): boolean {
  const ofGrade = gradeIn(description) ? [] : words([grader, grade].join(' '))
  const [names, sets, line] = [name, set ?? '', description].map(plainWords) as [string[], string[], string[]]
  const isInLine = among(words(description))
  const isInLabel = among([...words([name, set].join(' ')), ...ofGrade])
  const isLabelWord: IsShared = (word) => isNumber(word) || isInLabel(word)
  if (names.length > 0 && !names.some(isInLine) && !line.every(isLabelWord)) return true
  const ofLine = placesOf(line, isLabelWord)
  const ofLabel = [names, sets].flatMap((field) =>
    placesOf(field, (word) => isNumber(word) || isInLine(word)),
  )
  return [...ofLabel, ...placesOf(ofGrade, isInLine)].some((place) => ofLine.includes(place))
}

function isNumber(word: string): boolean {
  return /\d/.test(word)
}

/** Numbers, languages, and grades have rules of their own. */
function plainWords(text: string): string[] {
  return words(withoutLanguages(withoutGrade(text)))
}

type IsShared = (word: string) => boolean

/** A word may also be shortened, as `Ref` for `Refractor`, or be written in two. */
function among(others: readonly string[]): IsShared {
  const joined = others.join('')
  return (word) => joined.includes(word) || others.some((other) => other.length > 1 && word.startsWith(other))
}

/** The shared words right before and right after those that the other side lacks. */
function placesOf(field: readonly string[], isShared: IsShared): string[] {
  const places: string[] = []
  for (const [at, word] of field.entries()) {
    if (isShared(word)) continue
    const [before, after] = [field[at - 1], field[at + 1]]
    if (before !== undefined && isShared(before)) places.push(`${before} `)
    if (after !== undefined && isShared(after)) places.push(` ${after}`)
  }
  return places
}
