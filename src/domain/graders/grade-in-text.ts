import { once } from '../../contract/once.ts'
import { gradeOn, readGrader } from './graders.ts'

/** `grader` is null for a bare `Gem Mint 10`. */
export type NamedGrade = { grader: string | null; grade: string }

// Compiled on first use: most commands read no description.
const patterns = once(() => ({
  graderNames:
    /(?<![\p{L}\p{N}])(?:P\.S\.A\.?|PSA|BGS|BECKETT|BVG|BCCG|CGC|CSG|SGC|TAG|HGA|ACE|AGS|ARENA ?CLUB)/giu,
  gradeNames: /(?<![\p{L}\p{N}])(?:GEM(?:[ -]?(?:MINT|MT))?|PRISTINE|MINT|NM-MT|GRADED?)\+?:? /giu,
  /** Before a `#`, a lower whole number is the card's. */
  labelWord:
    /^(?:[\s:+,)-]|[([|/](?=(?:10|\d(?:\.\d)?)(?![\d/.]))|#(?=(?:10|\d\.\d)(?![\d/.]))|(?:GEM|MINT|MT|NM|NEAR|EX|EXCELLENT|VERY|VG|GOOD|GD|FAIR|FR|POOR|PR|PRISTINE|PERFECT|BLACK|GOLD|LABEL|GRADED?|GRADING)\b)/i,
  /** Accepts `9.5/10`, whose second grade is for the autograph, but not the card number in `PSA 4/102`. */
  number: /^(10|\d\d?\.\d|\d{1,3})(?:\/(?:10|\d(?:\.5)?))?(?![\p{L}\d/]|\.\d)/u,
  /** As in `10 PSA`, `9 - PSA`, `9.5 by BGS`, or `Authentic (PSA)`; a lower whole number may be the card's. */
  numberBefore: /(?<![\p{L}\p{N}#./-])(10|9|\d\.5|AUTH(?:ENTIC)?)(?: (?:by |[-\u2013] |\()?|[-\u2013])$/iu,
  numberOffScale: /^\d\d?(?:\.\d+)?(?![\p{L}\d/.])/u,
  authentic: /^(AUTH)(?:ENTIC)?\b/i,
  tenAfter: /^ \(?(?:PRISTINE|PERFECT|BLACK LABEL)\b\)?/i,
  qualifierAfter: /^ ?\(([A-Z]{2})\)|^ ([A-Z]{2})(?= ?(?:$|,))/,
}))
/** Label words of a 10. Only the grader's table knows whether they make it a higher grade. */
const tens = /PRISTINE|PERFECT|BLACK LABEL/gi

export function gradeIn(text: string): NamedGrade | undefined {
  return find(text)?.named
}

/** A grader followed by a grade that it does not give, or by `Gem Mint` and the like without a number. */
export function missingGradeIn(text: string): { grader: string; text: string } | undefined {
  // A card's own words may be a grader's name, as in `Portgas D. Ace 13 PSA 10`.
  if (find(text)?.named.grader) return undefined
  for (const { 0: name, index } of text.matchAll(patterns().graderNames)) {
    const start = index + name.length
    const end = afterLabelWords(text, start)
    const [number = ''] = patterns().numberOffScale.exec(text.slice(end, end + 20)) ?? []
    const isMissing = number !== '' || /\b(?:GEM|MINT|PRISTINE)\b/i.test(text.slice(start, end))
    if (isMissing)
      return { grader: readGrader(name).name, text: text.slice(index, end + number.length).trim() }
  }
  return undefined
}

/** Keeps the grade from being read as a card number. */
export function withoutGrade(text: string): string {
  const found = find(text)
  return found ? `${text.slice(0, found.start)} ${text.slice(found.end)}` : text
}

type FoundGrade = { named: NamedGrade; start: number; end: number }

function find(text: string): FoundGrade | undefined {
  for (const { 0: name, index } of text.matchAll(patterns().graderNames)) {
    const found = gradeAfter(text, index, index + name.length, name)
    if (found) return found
  }
  for (const { 0: words, index } of text.matchAll(patterns().gradeNames)) {
    const found = gradeAfter(text, index, index + words.length, undefined)
    if (found) return found
  }
  for (const { 0: name, index } of text.matchAll(patterns().graderNames)) {
    const found = gradeBefore(text, index, name)
    if (found) return found
  }
  return undefined
}

/** Unless another number follows the grader, as in `Card 10 PSA 9.7`. */
function gradeBefore(text: string, at: number, name: string): FoundGrade | undefined {
  const { grader } = readGrader(name)
  const [whole = '', written = ''] = patterns().numberBefore.exec(text.slice(0, at)) ?? []
  const grade = grader && written ? gradeOn(grader, written) : undefined
  const end = at + name.length
  if (!grader || !grade || /^\d/.test(text.slice(afterLabelWords(text, end)))) return undefined
  return { named: { grader: grader.name, grade }, start: at - whole.length, end }
}

function gradeAfter(
  text: string,
  start: number,
  from: number,
  name: string | undefined,
): FoundGrade | undefined {
  const { number, authentic, tenAfter, qualifierAfter } = patterns()
  let end = afterLabelWords(text, from)
  const rest = text.slice(end, end + 20)
  const grader = name === undefined ? undefined : readGrader(name).grader
  const [whole, written] = number.exec(rest) ?? (grader && authentic.exec(rest)) ?? []
  if (whole === undefined || written === undefined) return undefined
  const labels = text.slice(from, end).match(tens) ?? []
  end += whole.length
  const [label = ''] = tenAfter.exec(text.slice(end, end + 20)) ?? []
  const grade = grader ? gradeOn(grader, [...labels, written, label].join(' ')) : bareGrade(written)
  if (grade === undefined) return undefined
  end += label.length
  const [after = '', inBrackets, atEnd] = qualifierAfter.exec(text.slice(end)) ?? []
  const qualifier = inBrackets ?? atEnd ?? ''
  const isQualified = grader?.qualifiers?.includes(qualifier) === true
  const named = { grader: grader?.name ?? null, grade: isQualified ? `${grade} ${qualifier}` : grade }
  return { named, start, end: isQualified ? end + after.length : end }
}

function afterLabelWords(text: string, from: number): number {
  const { labelWord } = patterns()
  let end = from
  for (
    let word = labelWord.exec(text.slice(end, end + 10));
    word;
    word = labelWord.exec(text.slice(end, end + 10))
  )
    end += word[0].length
  return end
}

function bareGrade(text: string): string | undefined {
  return Number(text) <= 10 ? String(Number(text)) : undefined
}

export function labelGrade(grader: string, grade: string): NamedGrade {
  const { name, grader: known } = readGrader(grader)
  return { grader: name, grade: (known && gradeOn(known, grade)) ?? grade.trim().toUpperCase() }
}

/** Graders, and labels of a 10, count only if both sides name a grader. */
export function areTwoGrades(a: NamedGrade, b: NamedGrade): boolean {
  if (a.grader !== null && b.grader !== null) return a.grader !== b.grader || a.grade !== b.grade
  const [one, other] = [a, b].map(({ grade }) => grade.replace(tens, '').trim())
  return one !== other
}
