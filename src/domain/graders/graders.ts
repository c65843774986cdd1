import { once } from '../../contract/once.ts'

/** Used to compare and warn only; the partner's text is stored as sent. */
export type Grader = {
  name: string
  /** Without punctuation, spaces, and company words at their end, in capitals. */
  aliases: readonly string[]
  /** Without separators; undefined if no source gives a shape. */
  certificate?: { shape: RegExp; digits: readonly [least: number, most: number]; words: string }
  grades: ReadonlySet<string>
  /** Suffixes of a grade, such as `OC` in `9 OC`. */
  qualifiers?: readonly string[]
  /** Labels of a 10 that is a higher grade than the plain 10. */
  tens?: readonly string[]
  /** QR codes and web addresses of a certificate, in capitals without dashes: `number` has it in its first group. */
  links: ReadonlyArray<{ site: string; number: RegExp }>
}

const wholeGrades = '1 2 3 4 5 6 7 8 9 10'.split(' ')
const halfGradesToEight = '1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5'.split(' ')
const halfGrades = [...halfGradesToEight, '9.5']
const authentic = ['A', 'AA']
const cgc = { site: 'CGCCARDS', number: /\/CERTLOOKUP\/(\d+)/ }
const tenDigits = { shape: /^\d{10}$/, digits: [10, 10], words: '10 digits' } as const
const beckett = {
  certificate: tenDigits,
  grades: new Set([...wholeGrades, ...halfGrades, ...authentic]),
  links: [{ site: 'BECKETT', number: /^\/GRADING\/CARDLOOKUP.*[?&]ITEM_ID=(\d+)/ }],
}
const comicGrades = ['0.3', '0.5', '1.8', '9.2', '9.4', '9.6', '9.8', '9.9']
// Before 2008 SGC graded from 10 to 100.
const hundredths = '20 30 35 40 45 50 55 60 70 80 82 84 86 88 92 96 98 100'.split(' ')

/**
 * Certificates: PSA, psacard.com/cert and its public API; BGS, BVG and BCCG, beckett.com/grading/card-lookup; CGC and CSG,
 * cgccards.com/certlookup (seven digits of the submission and three of the card); SGC, gosgc.com/cert-code-lookup; TAG,
 * my.taggrading.com; ACE, acegrading.com/cert; AGS, agscard.com/feed. Grades: psacard.com/gradingstandards,
 * beckett.com/grading, cgccards.com/card-grading/grading-scale, gosgc.com, taggrading.com/pages/scale,
 * acegrading.com/grading-scale, agscard.com/grading-standards. For HGA and Arena Club no source for a shape was found.
 */
export const graders: readonly Grader[] = [
  {
    name: 'PSA',
    aliases: ['PSADNA', 'PROFESSIONALSPORTSAUTHENTICATOR'],
    certificate: { shape: /^\d{7,10}$/, digits: [7, 10], words: '7 to 10 digits' },
    grades: new Set([...wholeGrades, ...halfGradesToEight, ...authentic]),
    qualifiers: ['OC', 'MK', 'MC', 'ST', 'PD', 'OF'],
    // Excludes the population report, /pop/cert/1999.
    links: [{ site: 'PSACARD', number: /(?<!\/POP)\/CERT\/(\d+)/ }],
  },
  { ...beckett, name: 'BGS', aliases: ['BECKETT', 'BECKETTBGS'], tens: ['BLACK LABEL'] },
  { ...beckett, name: 'BVG', aliases: ['BECKETTVINTAGE'] },
  { ...beckett, name: 'BCCG', aliases: ['BECKETTCOLLECTORSCLUB'], grades: new Set(wholeGrades) },
  {
    name: 'CGC',
    aliases: ['CERTIFIEDGUARANTY', 'CERTIFIEDCOLLECTIBLES'],
    certificate: tenDigits,
    grades: new Set([...wholeGrades, ...halfGrades, ...comicGrades, ...authentic]),
    tens: ['PRISTINE', 'PERFECT'],
    links: [cgc, { ...cgc, site: 'CGCCOMICS' }],
  },
  {
    name: 'CSG',
    aliases: ['CERTIFIEDSPORTSGUARANTY'],
    certificate: tenDigits,
    grades: new Set([...wholeGrades, ...halfGrades, ...authentic]),
    tens: ['PRISTINE', 'PERFECT'],
    links: [cgc, { ...cgc, site: 'CSGCARDS' }],
  },
  {
    name: 'SGC',
    aliases: ['SPORTSCARDGUARANTY'],
    certificate: { shape: /^(?:\d{7,8}|\d{10})$/, digits: [7, 10], words: '7, 8 or 10 digits' },
    grades: new Set([...wholeGrades, ...halfGrades, ...hundredths, 'A']),
    tens: ['PRISTINE'],
    links: [{ site: 'GOSGC', number: /(?:\/CERTCODELOOKUP\/|\/CARD\/|\/CERT\/|[?&]CERTCODE=)(\d+)/ }],
  },
  {
    name: 'TAG',
    aliases: ['TECHNICALAUTHENTICATION', 'TECHNICALAUTHENTICATIONAND'],
    certificate: { shape: /^[A-Z]\d{7}$/, digits: [7, 7], words: 'a letter and 7 digits' },
    grades: new Set([...wholeGrades, ...halfGradesToEight, 'A']),
    tens: ['PRISTINE'],
    links: [{ site: 'TAGGRADING', number: /\/CARD\/([A-Z]\d+)/ }],
  },
  {
    name: 'HGA',
    aliases: ['HYBRID', 'HYBRIDGRADINGAPPROACH'],
    grades: new Set([...wholeGrades, ...halfGrades, 'A']),
    links: [],
  },
  {
    name: 'ACE',
    aliases: [],
    certificate: { shape: /^\d{5,8}$/, digits: [5, 8], words: '5 to 8 digits' },
    grades: new Set([...wholeGrades, 'A']),
    links: [{ site: 'ACEGRADING', number: /\/CERT\/(\d+)/ }],
  },
  {
    name: 'AGS',
    aliases: ['AUTOMATED', 'AUTOMATEDGRADINGSYSTEMS'],
    certificate: { shape: /^\d{8}$/, digits: [8, 8], words: '8 digits' },
    grades: new Set([...wholeGrades, '1.5']),
    links: [{ site: 'AGSCARD', number: /\/FEED\/(\d+)/ }],
  },
  {
    name: 'ARENA CLUB',
    aliases: ['ARENACLUB', 'ARENA'],
    grades: new Set([...wholeGrades, ...halfGrades, 'A']),
    links: [],
  },
]

const byAlias = once(
  () => new Map(graders.flatMap((grader) => [grader.name, ...grader.aliases].map((name) => [name, grader]))),
)
export const labelWords =
  /(?:GEM|GM|MINT|MT|PRISTINE|PRIST|PRI|PERFECT|FLAWLESS|LEGENDARY|BLACK|BL|GOLD|LABEL|NEAR|NM|EXCELLENT|EX|VERY|VG|GOOD|GD|FAIR|FR|POOR|PR|GRADED?|AUTO)/
/** Labels of a 10. Only the grader's table knows whether they make it a higher grade. */
export const tens = /\b(?:PRISTINE|PRIST|PRI|PERFECT|BLACK LABEL|BL)\b/gi
const autographGrade =
  /(?<=\d|\b(?:A|AUTH|AUTHENTIC|ALTERED))(?: ?W?\/|[ ,/(]{1,3}AUTO(?:GRAPH)?:?) ?(?:10|\d(?:[.,]5)?|AUTH(?:ENTIC)?)(?![\d.,])/
const labelWord = new RegExp(`\\b${labelWords.source}\\b|\\+`, 'g')
const gradeStart = new RegExp(`\\d|\\b(?:AUTH(?:ENTIC)?|ALTERED|${labelWords.source})\\b| AA?$`)

const companyWords =
  /(?:GRADING|SERVICES?|TRADING|CARDS|COMPANY|CORPORATION|CORP|GROUP|LIMITED|LTD|LLC|INC|CO)/
const companyWord = new RegExp(`${companyWords.source}$`)
const afterUnknown = new RegExp(` (?:${companyWords.source}|(10|[1-9](?:[.,]5)?))$`)

/** `grade`: written next to the name, as in `PSA 10`; `grader` is undefined if unknown. */
type GraderName = { name: string; grader: Grader | undefined; grade: string | null }

const nameMax = 100

/** Accepts any alias. An unknown grader keeps its name, in capitals without punctuation and company words. */
export function readGrader(text: string): GraderName {
  const exact = byAlias().get(text)
  if (exact) return { name: exact.name, grader: exact, grade: null }
  const upper = text
    .replace(/[\u2122\u00ae]/g, '')
    .normalize('NFKC')
    .trim()
    .toUpperCase()
  if (upper.length > nameMax) return { name: upper, grader: undefined, grade: null }
  const whole = graderNamed(upper)
  if (whole) return { name: whole.name, grader: whole, grade: null }
  const at = upper.search(gradeStart)
  const grader = at > 0 ? graderNamed(upper.slice(0, at)) : undefined
  const grade = upper.slice(at).trim()
  if (grader) return { name: grader.name, grader, grade: grade === 'GRADED' ? null : grade }
  const plain = upper
    .replace(/\.(?!\d)/g, '')
    .replace(/(?:[^\p{L}\p{N}.,]|,(?!\d))+/gu, ' ')
    .trim()
  const name = plain.replace(afterUnknown, '')
  if (name === '' || name === upper) return { name: upper, grader: undefined, grade: null }
  const [, unknownGrade = null] = afterUnknown.exec(plain) ?? []
  const inner = readGrader(name)
  return { ...inner, grade: inner.grade ?? unknownGrade }
}

/** Also reads the company's name in full, with its initials in brackets or without. */
function graderNamed(upper: string): Grader | undefined {
  let letters = upper.replace(/[^\p{L}\p{N}]/gu, '')
  while (!byAlias().has(letters) && companyWord.test(letters)) letters = letters.replace(companyWord, '')
  const [, initials = ''] = /\(([^()]*)\)$/.exec(upper.trim()) ?? []
  return byAlias().get(letters) ?? byAlias().get(initials.replace(/[^\p{L}\p{N}]/gu, ''))
}

/** Splits the grader `PSA 10`, if there is no grade, into PSA and its 10. */
export function withGradeApart<Slab extends { grader?: string; grade?: string }>(slab: Slab): Slab {
  const { name, grade } = readGrader(slab.grader ?? '')
  return slab.grade || grade === null ? slab : { ...slab, grader: name, grade }
}

export function graderKey(text: string): string {
  return readGrader(text).name
}

/**
 * The number or A for authentic, with its label and qualifier. Undefined if the grader gives no such grade. The second of two grades,
 * as in `9.5/10` or `9 (Auto 10)`, is the autograph's; SGC's second, as in `98 (10)`, is the same on its newer scale.
 */
export function gradeOn(grader: Grader, text: string): string | undefined {
  const upper = text.normalize('NFKC').trim().toUpperCase()
  const bare = upper.startsWith(`${grader.name} `) ? upper.slice(grader.name.length + 1) : upper
  if (grader.grades.has(bare)) return bare
  const named = bare.replace(/\bPRI(?:ST)?\b/, 'PRISTINE').replace(/\bBL\b/, 'BLACK LABEL')
  const label = grader.tens?.find((words) => named.includes(words))
  const rest = bare
    .replace(/(?<=\d),(?=\d)/, '.')
    .replace(autographGrade, '')
    .replace(/(?<=^(?:[2-9]\d|100)) ?\((?:10|\d(?:[.,]5)?)\)/, '')
    .replace(labelWord, ' ')
    .replace(/[\s()[\]/:,-]+/g, ' ')
    .trim()
    .replace(/^(?:AUTH(?:ENTIC)?\.? )?ALTERED(?: AUTH(?:ENTIC)?\.?)?$/, 'AA')
    .replace(/^(?:AUTH(?:ENTIC)?\.?|N0)$/, 'A')
  if (authentic.includes(rest)) return grader.grades.has(rest) ? rest : undefined
  const [, number = '', qualifier = ''] = /^(\d{1,3}(?:\.\d+)?) ?([A-Z]*)$/.exec(rest) ?? []
  const grade = rest === '' && label ? '10' : number === '' ? '' : String(Number(number))
  if (!grader.grades.has(grade)) return undefined
  if (qualifier !== '') return grader.qualifiers?.includes(qualifier) ? `${grade} ${qualifier}` : undefined
  return grade === '10' && label ? `${grade} ${label}` : grade
}
