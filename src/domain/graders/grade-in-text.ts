import { once } from '../../contract/once.ts'
import { type Grader, gradeOn, labelWords, readGrader, tens } from './graders.ts'

/** `grader` is null for a bare `Gem Mint 10`. */
export type NamedGrade = {
  grader: string | null
  grade: string
  /** The same grade on the grader's other scale, as in `SGC 60/5`. */
  alias?: string
}

const patterns = once(() => ({
  graderNames:
    /(?<!\p{L})(?:P\.S\.A\.?|PSA(?:[/ ]DNA)?|BGS|BECKETT|BVG|BCCG|CGC|CSG|SGC|TAG|HGA|ACE|AGS|ARENA ?CLUB)/giu,
  gradeNames: /(?<![\p{L}\p{N}])(?:GEM(?:[ -]?(?:MINT|MT))?|PRISTINE|MINT|NM[ /-]?MT|GRADED?)\+?:? /giu,
  /** Allows punctuation, but no price and no year such as '96. A whole number below 10 after a `#` is the card's. */
  labelMark:
    /^(?:[^\p{L}\p{N}#/([|'\u2018\u2019$\u20ac\u00a3]|[([|/](?= ?\d{1,3}(?:[.,]\d)?(?![\d/.]))|['\u2018](?=\d{1,3}(?:[.,]\d)?['\u2019])|#(?=(?:10|\d[.,]\d)(?![\d/.]))|(?:GEM|MINT|MT)(?=\d))/iu,
  labelWord: new RegExp(`^(?:${labelWords.source}|GRADING)(?![\\p{L}\\p{N}])\\/?`, 'iu'),
  /** Accepts `9.5/10`, whose second grade is for the autograph, and SGC's `60 5`, but not the card number in `PSA 4/102`. */
  number:
    /^(\d\d?(?:\.\d|,5)|100|\d\d?)(?:(?:\/|(?<=(?:[2-9]\d|100)) )(10|\d(?:[.,]5)?))?(?!(?!GEM|MINT|MT|(?:OC|MK|MC|PD)(?!\p{L}))\p{L}|\/?\d|\/(?!OC|MK|MC|PD)|\.\d)/iu,
  /** As in `10PSA`, `Gem10 PSA`, `(10) PSA`, `10/10 PSA`, `10 Gem Mint PSA`, `9 - PSA`, `9.5 by BGS`, or `Authentic (PSA)`. */
  numberBefore:
    /(?:(?<![\p{L}\p{N}#./-])|(?<=(?:GEM|MINT|MT)-?))(10(?:\.0)?|\d(?:\.\d|,5)?|AUTH(?:ENTIC)?|ALTERED)(?:(?<=10|\.5)\/10)?[)\]"\u201d]?(?:(?<=9|10|[.,]5)(?:[ -](?:GEM|MINT|MT)\.?){1,2})?(?: (?:by |[-\u2013\u2014|] |\()?|[-\u2013\u2014])?$/iu,
  numberOffScale: /^\d\d?(?:\.\d+)?(?![\p{L}\d/.])/u,
  authentic: /^((?:AUTH(?:ENTIC)?|ALTERED)(?: ALTERED)?)\b/i,
  tenAfter: new RegExp(`^[\\s:,(\u2013-]{1,3}${tens.source}\\)?`, 'i'),
  tenBefore: /\b(?:PRISTINE|BLACK LABEL)[\s:,(\u2013-]{1,3}$/i,
  /** Excludes `8 St. Louis` and `10 of 99`. */
  qualifierAfter:
    /^ ?[([]([A-Z]{2})[)\]]|^(?:(?:[ /-]|, ?)?(OC|MK)|(MC|PD)|(?:[ /-]|, ?)(?!of )([A-Z]{2}))(?![\p{L}\p{N}.])/iu,
}))

/** `unclear`: as in `8 PSA`, whose 8 may be the card's number. `rest`: the text without its grade, normalized (NFKC). */
type GradedText = { grade?: NamedGrade; unclear?: NamedGrade; rest: string }

export function readGrade(written: string): GradedText {
  const text = written.replaceAll('\u2116', '#').normalize('NFKC')
  const found = find(text)
  if (!found) return { rest: text }
  if (found.isUnclear) return { unclear: found.named, rest: text }
  return { grade: found.named, rest: `${text.slice(0, found.start)} ${text.slice(found.end)}` }
}

/** A grader followed by a grade that it does not give, or by `Gem Mint` and the like without a number. */
export function missingGradeIn(written: string): { grader: string; text: string } | undefined {
  const text = written.normalize('NFKC')
  // A card's own words may be a grader's name, as in `Portgas D. Ace 13 PSA 10`.
  if (find(text)?.named.grader) return undefined
  for (const { 0: name, index } of text.matchAll(patterns().graderNames)) {
    const start = index + name.length
    const end = afterLabelWords(text, start)
    const number = numberAt(text, end)
    const isMissing = number !== '' || /\b(?:GEM|MINT|PRISTINE)\b/i.test(text.slice(start, end))
    if (isMissing)
      return { grader: readGrader(name).name, text: text.slice(index, end + number.length).trim() }
  }
  return undefined
}

type FoundGrade = { named: NamedGrade; start: number; end: number; isUnclear?: boolean }

/** Expects normalized text (NFKC). */
function find(text: string): FoundGrade | undefined {
  const { graderNames, gradeNames } = patterns()
  for (const { 0: name, index } of text.matchAll(graderNames)) {
    const found = gradeAfter(text, index, index + name.length, name)
    if (found) return found
  }
  let unclear: FoundGrade | undefined
  for (const { 0: name, index } of text.matchAll(graderNames)) {
    const found = gradeBefore(text, index, name)
    if (found && !found.isUnclear) return found
    unclear ??= found
  }
  gradeNames.lastIndex = 0
  for (let name = gradeNames.exec(text); name; name = gradeNames.exec(text)) {
    const found = gradeAfter(text, name.index, gradeNames.lastIndex, undefined)
    if (found) return found
    gradeNames.lastIndex = afterLabelWords(text, gradeNames.lastIndex)
  }
  return unclear
}

/** The grade before a grader, unless another number follows the grader, as in `Card 10 PSA 9.7`. */
function gradeBefore(text: string, at: number, name: string): FoundGrade | undefined {
  const { grader } = readGrader(name)
  const [whole = '', written = ''] = patterns().numberBefore.exec(text.slice(Math.max(0, at - 40), at)) ?? []
  const grade = grader && written ? gradeOn(grader, written) : undefined
  const end = at + name.length
  if (!grader || !grade || numberAt(text, afterLabelWords(text, end)) !== '') return undefined
  const named = { grader: grader.name, grade }
  return { named, start: at - whole.length, end, isUnclear: /^[1-8]$/.test(written) && whole !== written }
}

function gradeAfter(
  text: string,
  start: number,
  from: number,
  name: string | undefined,
): FoundGrade | undefined {
  const { number, authentic, tenAfter } = patterns()
  let end = afterLabelWords(text, from)
  const rest = text.slice(end, end + 20)
  const grader = name === undefined ? undefined : readGrader(name).grader
  const labels = text.slice(from, end).match(tens) ?? []
  // A label of a 10 needs no number.
  const [whole, written, second] = number.exec(rest) ??
    (grader && authentic.exec(rest)) ?? [labels.length > 0 && numberAt(text, end) === '' ? '' : undefined, '']
  if (whole === undefined || written === undefined) return undefined
  end += whole.length
  const [label = ''] = tenAfter.exec(text.slice(end, end + 20)) ?? []
  const [before = ''] = patterns().tenBefore.exec(text.slice(Math.max(0, start - 16), start)) ?? []
  const grade = grader ? gradeOn(grader, [before, ...labels, written, label].join(' ')) : bareGrade(written)
  if (grade === undefined) return undefined
  end += label.length
  const { qualifier, length } = qualifierAt(text, end, grader)
  const named = {
    grader: grader?.name ?? null,
    grade: qualifier ? `${grade} ${qualifier}` : grade,
    ...(second && Number(written) > 10 && { alias: second.replace(',', '.') }),
  }
  return { named, start, end: end + length }
}

function qualifierAt(
  text: string,
  at: number,
  grader: Grader | undefined,
): { qualifier?: string; length: number } {
  const [whole = '', ...groups] = patterns().qualifierAfter.exec(text.slice(at, at + 20)) ?? []
  const wordLike = groups[3]
  const [next = ''] = /[\p{L}\p{N}]+/u.exec(text.slice(at + whole.length)) ?? []
  // In `9 MC Hammer` the letters begin a name, in `9 MC OP01-120` they do not.
  if (wordLike !== undefined && /^\p{L}+$/u.test(next)) return { length: 0 }
  const qualifier = groups.find(Boolean)?.toUpperCase() ?? ''
  return grader?.qualifiers?.includes(qualifier) ? { qualifier, length: whole.length } : { length: 0 }
}

/** A number that could be a grade; empty if there is none. */
function numberAt(text: string, at: number): string {
  return patterns().numberOffScale.exec(text.slice(at, at + 20))?.[0] ?? ''
}

function afterLabelWords(text: string, from: number): number {
  const { labelMark, labelWord } = patterns()
  const lengthAt = (at: number): number => {
    const next = text.slice(at, at + 12)
    return (labelMark.exec(next) ?? labelWord.exec(next))?.[0].length ?? 0
  }
  let end = from
  for (let length = lengthAt(end); length > 0; length = lengthAt(end)) end += length
  return end
}

function bareGrade(text: string): string | undefined {
  const number = Number(text.replace(',', '.'))
  return text !== '' && number <= 10 ? String(number) : undefined
}

export function labelGrade(grader: string, grade: string): NamedGrade {
  const { name, grader: known } = readGrader(grader)
  const read = known ? gradeOn(known, grade) : bareGrade(grade)
  return { grader: name, grade: read ?? grade.trim().toUpperCase() }
}

/** As in `KSA 9.5`, next to the name of a grader that is not in the table, if that is one word. */
export function gradeBeside(grader: string, written: string): NamedGrade | undefined {
  const { name, grader: known } = readGrader(grader)
  if (known || name === '') return undefined
  const text = written.normalize('NFKC')
  const word = [...text.matchAll(/\p{L}+/gu)].find(([letters]) => letters.toUpperCase() === name)
  if (!word) return undefined
  const end = afterLabelWords(text, word.index + word[0].length)
  const grade = bareGrade(patterns().number.exec(text.slice(end, end + 20))?.[1] ?? '')
  return grade === undefined ? undefined : { grader: name, grade }
}

function onScales({ grade, alias }: NamedGrade): string[] {
  return alias === undefined ? [grade] : [grade, alias]
}

/** Graders, and labels of a 10, count only if both sides name a grader. */
export function areTwoGrades(a: NamedGrade, b: NamedGrade): boolean {
  if (a.grader !== null && b.grader !== null)
    return a.grader !== b.grader || !onScales(a).some((grade) => onScales(b).includes(grade))
  const [one, other] = [a, b].map(({ grade }) => grade.replace(tens, '').trim())
  return one !== other
}
