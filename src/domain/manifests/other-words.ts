import { type CardText, cardText, wordsOf } from './card-text.ts'
import { colours } from './card-variants.ts'

type Label = { name: string } & Record<'set' | 'card_number' | 'grader' | 'grade', string | null>

/**
 * Whether a word stands in the place of another, as in `Pokemon Jungle` and `Pokemon Fossil`, or `PSA Ten` and `PSA 6`, or of the
 * whole name. An extra or missing word counts only if it names a variant: few descriptions have all words of a label.
 */
export function hasOtherWords(
  { name, set, card_number, grader, grade }: Label,
  description: string,
): boolean {
  const described = cardText(description)
  const line = described.plainWords()
  const label = [name, set ?? '', grade ?? ''].map(cardText)
  const [names = [], sets = []] = label.map((field) => field.plainWords())
  const ofGrade = described.graded().grade ? [] : wordsOf([grader, grade])
  const isInLine = among(described.words())
  const isInLabel = among([...wordsOf([name, set, card_number]), ...ofGrade])
  if (hasOtherVariant(described, label, isInLine, isInLabel)) return true
  const isLabelWord: IsShared = (word) => isNumber(word) || isInLabel(word)
  if (line.every(isLabelWord)) return false
  // As in `The One Ring`, whose `The` is in `Magic The Gathering` too.
  const isInSet = among(sets)
  const own = names.filter((word) => !isInSet(word))
  if (own.length > 0 && !own.some(isInLine)) return true
  const [begins, first, last] = [lettered(line)[0], lettered(names)[0], lettered(names).at(-1)]
  const isOther = [first, last].some((word) => word && !isInLine(word))
  if (begins && !isInLabel(begins) && isOther) return true
  const ofLine = [line, lettered(line)].flatMap((field) => placesOf(field, isLabelWord))
  const card = [...sets, ...names]
  const ofLabel = [card, lettered(card), wordsOf([card_number])].flatMap((field) =>
    placesOf(field, (word) => isNumber(word) || isInLine(word)),
  )
  return [...ofLabel, ...placesOf(ofGrade, isInLine)].some((place) => ofLine.includes(place))
}

function hasOtherVariant(
  described: CardText,
  label: readonly CardText[],
  isInLine: IsShared,
  isInLabel: IsShared,
): boolean {
  const [ofLine, ofLabel] = [described.varied().named, label.flatMap((field) => field.varied().named)]
  return (
    ofLine.some((one) => !ofLabel.includes(one) && !isInLabel(one)) ||
    ofLabel.some((one) => !ofLine.includes(one) && !isInLine(one)) ||
    namesParallel(described.plainWords(), isInLabel) ||
    label.some((field) => namesParallel(field.plainWords(), isInLine))
  )
}

/** As in `Prizm Silver`: a colour alone that the other side lacks. With words that it lacks too, as in `White Sox`, it is a team. */
function namesParallel(field: readonly string[], isShared: IsShared): boolean {
  const isAlone = (next: string | undefined) => next === undefined || isNumber(next) || isShared(next)
  return field.some(
    (word, at) => colours.has(word) && !isShared(word) && isAlone(field[at - 1]) && isAlone(field[at + 1]),
  )
}

/** A number or colour between two words does not separate them, as in `Topps #4 Luffy`. */
function lettered(words: readonly string[]): string[] {
  return words.filter((word) => !isNumber(word) && !colours.has(word))
}

/** Or the sign of one, as in `No. 25`. */
function isNumber(word: string): boolean {
  return /\d|^n[or]$/.test(word)
}

type IsShared = (word: string) => boolean

/** Also finds a word that is shortened, or that stands for two or three. */
function among(others: readonly string[]): IsShared {
  const whole = new Set(others)
  const inOrder = others.filter((word) => word !== 'and')
  const isLike = (word: string, other: string, at: number): boolean =>
    isShortFor(other, word) || isShortFor(word, other) || areJoined(word, inOrder.slice(at, at + 3))
  return (word) =>
    whole.has(word) || inOrder.some((other, at) => other[0] === word[0] && isLike(word, other, at))
}

/** True if the word joins neighbours, whole or shortened to one or two letters each, as `SM` and `SWSH` do. */
function areJoined(word: string, [first = '', second = '', third = '']: readonly string[]): boolean {
  if (second === '' || /^[js]r$/.test(word)) return false
  if (word === first + second || word === first + second + third) return true
  const starts = [1, 2].flatMap((one) => [1, 2].map((other) => first.slice(0, one) + second.slice(0, other)))
  return starts.some((start) => [0, 1, 2].some((more) => word === start + third.slice(0, more)))
}

/** True for `Ref` and `Refractor`, `Blk` and `Black`, or `RC` and `Rookie`; false for `Mew` and `Mewtwo` or `V` and `VMAX`. */
function isShortFor(short: string, long: string): boolean {
  if (/^(?:rc|[js]r|pkm)$/.test(short))
    return /^(?:rc rookies?|jr junior|sr senior|pkm pokemon)$/.test(`${short} ${long}`)
  if (short.length < 2 || short.length >= long.length) return false
  if (long === `${short}s` || (long.startsWith(short) && short.length * 2 < long.length)) return true
  if (short.at(-1) !== long.at(-1) || /[aeiou]/.test(short)) return false
  let found = 0
  for (const letter of long) if (letter === short[found]) found += 1
  return found === short.length
}

/** The shared words right before and right after those that the other side lacks. */
function placesOf(field: readonly string[], isShared: IsShared): string[] {
  const places: string[] = []
  const shared = field.map(isShared)
  for (const at of field.keys()) {
    if (shared[at]) continue
    if (shared[at - 1]) places.push(`${field[at - 1]} `)
    if (shared[at + 1]) places.push(` ${field[at + 1]}`)
  }
  return places
}
