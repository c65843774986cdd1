import { once } from '../../contract/once.ts'
import { type Grader, gradeOn, graders, readGrader } from './graders.ts'

/** A grade that a text names; `grader` is null for a bare `Gem Mint 10`. */
export type NamedGrade = { grader: string | null; grade: string }

const labelWords = 'GEM|MINT|MT|NM|EX|VG|PRISTINE|PERFECT|BLACK|GOLD|LABEL|GRADED?'
const names = ['P\\.S\\.A\\.?', 'BECKETT', ...graders.map(({ name }) => name.replace(' ', '\\s?'))]
/** Also the second grade of `9.5/10`, which is that of an autograph, but not the card number of `PSA 4/102`. */
const pattern = once(
  () =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:(${names.join('|')})[\\s:-]*(?:(?:${labelWords})[\\s+-]*)*` +
        '|(?:GEM[\\s-]*(?:MINT|MT)|PRISTINE|MINT|NM-MT\\+?)\\s+)' +
        '(?:(10|\\d\\d?\\.\\d|\\d{1,3})(?:\\/(?:10|\\d(?:\\.5)?))?(?![\\p{L}\\d/]|\\.\\d)|(AUTHENTIC|AUTH)\\b)' +
        '(?:\\s*\\(([A-Z]{2})\\)|\\s+([A-Z]{2})(?=\\s*(?:$|,)))?',
      'iu',
    ),
)

/** The first grade that a text names, of a grader that gives such a grade. */
export function gradeIn(text: string): NamedGrade | undefined {
  return find(text)?.named
}

/** The text without the grade that it names, so that no part of the grade is read as a number of the card. */
export function withoutGrade(text: string): string {
  const found = find(text)
  return found ? `${text.slice(0, found.at)} ${text.slice(found.at + found.length)}` : text
}

function find(text: string): { named: NamedGrade; at: number; length: number } | undefined {
  const match = pattern().exec(text)
  if (!match) return undefined
  const [whole, name, number, authentic, inBrackets, atEnd] = match
  const grader = name === undefined ? undefined : readGrader(name).grader
  const qualifier = (inBrackets ?? atEnd)?.toUpperCase()
  const isQualifier = qualifier !== undefined && grader?.qualifiers?.includes(qualifier) === true
  const grade = gradeText(grader, authentic ?? number ?? '')
  if (grade === undefined) return undefined
  const named = { grader: grader?.name ?? null, grade: isQualifier ? `${grade} ${qualifier}` : grade }
  return { named, at: match.index, length: whole.length }
}

function gradeText(grader: Grader | undefined, text: string): string | undefined {
  if (grader) return gradeOn(grader, text)
  return Number(text) <= 10 ? String(Number(text)) : undefined
}

/** The grade of a label, as compared. */
export function labelGrade(grader: string, grade: string): NamedGrade {
  const { name, grader: known } = readGrader(grader)
  return { grader: name, grade: (known && gradeOn(known, grade)) ?? grade.trim().toUpperCase() }
}

/** Whether two grades differ. Whose grade it is counts only if both sides say so. */
export function areTwoGrades(a: NamedGrade, b: NamedGrade): boolean {
  return a.grade !== b.grade || (a.grader !== null && b.grader !== null && a.grader !== b.grader)
}
