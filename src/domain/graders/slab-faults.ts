import {
  anyNumber,
  certKey,
  decoded,
  type Grading,
  isAddress,
  linkedCertificate,
  padded,
  slabName,
} from './certificate.ts'
import { missingGradeIn, readGrade } from './grade-in-text.ts'
import { type Grader, gradeOn, graderKey, readGrader } from './graders.ts'

/** A value that no label has. `isCertain`: it cannot match; otherwise the message says how it is compared. */
type SlabFault = {
  field: 'grader' | 'cert_number' | 'grade' | 'description'
  message: string
  isCertain: boolean
}

type Slab = Grading & { grade?: string | undefined; description?: string | undefined }

export function slabFaults(slab: Slab): SlabFault[] {
  const { name, grader, grade } = readGrader(slab.grader ?? '')
  const faults: SlabFault[] = []
  const add = (field: SlabFault['field'], message: string, isCertain = false): void => {
    faults.push({ field, message, isCertain })
  }
  const isSwapped = !grader && /\d{4}/.test(name) && readGrader(slab.cert_number ?? '').grader
  if (isSwapped)
    add('grader', `"${slab.grader}" is not a grader, and the certificate is one: swap them`, true)
  else if (name !== '' && !grader)
    add('grader', `"${slab.grader}" is not a grader that custody knows: it is compared as ${name}`)
  if (grader && grade !== null) {
    const isOn = gradeOn(grader, grade) !== undefined
    if (isOn) add('grader', `"${slab.grader}" is a grader and a grade: it is compared as ${name}`)
    else add('grade', `"${slab.grader}" does not name a grade that ${name} gives`, true)
  }
  const given = grader && slab.grade ? gradeOn(grader, slab.grade) : undefined
  const beside = grader && grade !== null ? gradeOn(grader, grade) : undefined
  if (grader && slab.grade && given === undefined)
    add('grade', `"${slab.grade}" is not a grade that ${name} gives`, true)
  else if (given !== undefined && beside !== undefined && given !== beside)
    add('grade', `"${slab.grade}" is not the grade of "${slab.grader}"`, true)
  const missing = slab.description && missingGradeIn(slab.description)
  if (missing) add('description', `"${missing.text}" does not name a grade that ${missing.grader} gives`)
  const named = slab.description ? readGrade(slab.description).grade?.grader : undefined
  if (grader && named && named !== name)
    add('description', `"${slab.description}" names a grade of ${named}, and the grader is ${name}`)
  if (slab.cert_number) faults.push(...certificateFault(slab, slab.cert_number, grader))
  return faults
}

/** 48,201,934 and 48201934.00 */
const grouped = /^(\d+|\d{1,3}(?:[.,'’]\d{3})+)(?:[.,]0*)?$/

const absent = new Set([
  ...['n/a', 'na', 'n.a.', 'none', 'null', 'nil', 'nan', 'unknown', 'pending', 'tba', 'tbd'],
  ...['true', 'false', 'wahr', 'falsch', 'vrai', 'faux'],
])

/** The fault of a text that cannot be a number of any grader. */
function unlikeAny(text: string): string | undefined {
  const [, amount] = /^\d*$/.test(text) ? [] : (grouped.exec(text) ?? [])
  if (amount !== undefined) return `is written as an amount: write ${amount.replace(/\D/g, '')}`
  if (!/^[-–—?]+$/.test(text) && !absent.has(text.toLowerCase())) return undefined
  return 'is not a certificate: if there is none, leave grader and cert_number empty'
}

/** A grade beside a certificate: separators do not matter, so `9 48201934` would be compared as 948201934. */
const withGrade =
  /^(?:(?:10|[1-9](?:[.,]\d)?)[\s\p{Pd}]+([A-Z]?\d{4,})|([A-Z]?\d{6,})[\s\p{Pd}]+(?:10|[1-9](?:[.,]\d)?))$/iu

/** The number next to the name of an unknown grader, as in `GMA 48201934`, which would be compared as another slab than 48201934. */
function besideName(text: string, grader: string): string | undefined {
  const [, before = '', number = '', after = ''] = /^(\D*)(\d(?:.*\d)?)(\D*)$/s.exec(text) ?? []
  const isNamed = [before, after].some((name) => name !== '' && graderKey(name) === graderKey(grader))
  return isNamed ? number : undefined
}

function isNumberOf(grader: Grader | undefined, text: string): boolean {
  return (grader?.certificate?.shape ?? anyNumber).test(text.toUpperCase())
}

/** True for a number without the label's leading zeros; fewer than six digits could be anything. */
function isShortNumberOf(grader: Grader | undefined, text: string): boolean {
  return grader !== undefined && /^\d{6,}$/.test(text) && isNumberOf(grader, padded(text, grader))
}

function certificateFault(slab: Grading, text: string, grader: Grader | undefined): SlabFault[] {
  const fault = (message: string, isCertain = false): SlabFault[] => [
    { field: 'cert_number', message: `"${text}" ${message}`, isCertain },
  ]
  const notPrinted = unlikeAny(text)
  if (notPrinted !== undefined) return fault(notPrinted, true)
  const linked = linkedCertificate(text)
  if (linked && grader && !linked.graders.includes(grader))
    return fault(`is a certificate of ${linked.grader.name}, not of ${grader.name}`, true)
  if (linked) return isAddress(text) ? fault(`is an address: it is compared as ${slabName(slab)}`) : []
  if (/:\/\/|^www\./i.test(decoded(text)))
    return fault('is an address without a certificate: write the number', true)
  const named = slab.grader ? undefined : readGrader(text.replace(/\d.*$/s, '')).grader
  if (named?.certificate)
    return fault(`is not a certificate of ${named.name}, which has ${named.certificate.words}`, true)
  const [, after, before] = withGrade.exec(text.trim()) ?? []
  const apart = after ?? before ?? ''
  if (isNumberOf(grader, apart) || (!isNumberOf(grader, certKey(text)) && isShortNumberOf(grader, apart)))
    return fault(`may be a grade and a number: write ${apart}, or all digits without a space`, true)
  const own = grader ? undefined : besideName(text, slab.grader ?? '')
  if (own !== undefined) return fault(`contains the name of its grader: write ${own}`, true)
  if (!grader?.certificate) return []
  const { shape, digits, words } = grader.certificate
  const compared = slabName(slab)
  const number = compared.slice(grader.name.length + 1)
  const given = text.replace(/\P{N}/gu, '').length
  const isOfShape = shape.test(number)
  if (isOfShape && given >= digits[0]) return []
  const isOfDigits = /^\d+$/.test(number)
  const neverMatches = isOfDigits ? number.length > digits[1] : shape.test('0'.repeat(digits[0]))
  const count = isOfShape ? given : number.length
  const what =
    isOfShape || (isOfDigits && neverMatches)
      ? `has ${count} ${count === 1 ? 'digit' : 'digits'}, and certificates of ${grader.name} have ${words}`
      : `is not a certificate of ${grader.name}, which has ${words}`
  return fault(neverMatches ? what : `${what}: it is compared as ${compared}`, neverMatches)
}
