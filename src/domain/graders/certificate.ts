import { type Grader, gradeOn, graderBefore, graderKey, graders, readGrader } from './graders.ts'

export type Grading = { grader?: string | null | undefined; cert_number?: string | null | undefined }

/** The number in a web address, or after a grader's name, with its grader, and all graders with such addresses. */
type Linked = { number: string; grader: Grader; graders: readonly Grader[] }

export function linkedCertificate(text: string): Linked | undefined {
  return linkIn(withoutSeparators(text))
}

/** For a message that the grader is missing: the grader that the certificate itself names, if any. */
export function graderNamed(text: string | null | undefined): string {
  const names = linkedCertificate(text ?? '')?.graders.map(({ name }) => name) ?? []
  if (names.length === 0) return ''
  return isAddress(text ?? '')
    ? `: this address is of ${names.join(' or ')}`
    : `: the number names ${names[0]}`
}

/** Ignores spaces, dashes, case and, if all digits, leading zeros: no grader numbers two slabs that differ in zeros alone. */
export function certKey(text: string): string {
  const bare = withoutSeparators(text)
  const number = linkIn(bare)?.number ?? withoutSign(bare)
  return /^0\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number
}

export function isAddress(text: string): boolean {
  return /\.com\//i.test(text)
}

function withoutSeparators(text: string): string {
  const upper = text.normalize('NFKC').trim().toUpperCase()
  return withGradeOff(upper) ?? compact(upper)
}

function compact(text: string): string {
  return text.replace(/[\s\p{Pd}\u2212]+/gu, '').replace(/^#+(?=.)/, '')
}

/**
 * As in `PSA 9 48201934`, whose 9 would be the first digit of another certificate. The key of a text that may be either, such as
 * `PSA 9 123456`, keeps its spaces: it is no certificate.
 */
function withGradeOff(upper: string): string | undefined {
  const [, name = '', written = '', second = '', rest = ''] =
    /^(\D+)(\d{1,3}(?:\.\d)?)(\/\d{1,2}(?:\.5)?)?[\s\p{Pd}\u2212:;,/|#]+(.+)$/su.exec(upper) ?? []
  const { grader } = readGrader(name + written)
  if (!grader || !isGrade(written, grader)) return undefined
  const number = compact(rest)
  const [, next = ''] = /^(\d{1,3}(?:\.\d)?)[\s\p{Pd}\u2212]/u.exec(rest) ?? []
  const least = written.includes('.') || second !== '' ? 0 : (grader.certificate?.digits[0] ?? 0)
  const isClear = !isGrade(next, grader) && withoutSign(number).length >= least
  if (isClear) return compact(grader.name) + number
  return `${grader.name} ${written} ${rest.replace(/[\s\p{Pd}\u2212]+/gu, ' ')}`
}

/** A grade of any grader, or a higher one of this grader. */
function isGrade(text: string, grader: Grader): boolean {
  return /^(?:10|[1-9])(?:\.\d)?$/.test(text) || (text !== '' && gradeOn(grader, text) !== undefined)
}

/** As in `Cert #48201934` or `Certification No. A1234567`. */
function withoutSign(bare: string): string {
  return bare.replace(/^(?:CERT(?:IFICATE|IFICATION)?(?:NUMBER|NO)?)?[#.:]*([A-Z]?\d+)$/, '$1')
}

function linkIn(bare: string): Linked | undefined {
  if (!bare.includes('.COM/')) return /^[A-Z].*\d$/.test(bare) ? prefixedIn(bare) : undefined
  const linked = graders.flatMap((grader) => {
    const number = grader.links
      .map((link) => (bare.includes(link.site) ? link.number.exec(bare)?.[1] : undefined))
      .find(Boolean)
    return number === undefined ? [] : { number, grader }
  })
  // Beckett's address names which of its three services graded the card.
  const named = linked.filter(({ grader }) => bare.includes(`ITEM_TYPE=${grader.name}`))
  const [first, ...others] = named.length > 0 ? named : linked
  return first && { ...first, graders: [first, ...others].map(({ grader }) => grader) }
}

/** As in `PSA 48201934` or `P.S.A. Cert #48201934`, if the number has the shape of the grader's. */
function prefixedIn(bare: string): Linked | undefined {
  const named = bare.replace(/^\D+/, (before) => before.replaceAll('.', ''))
  const { grader, rest = '' } = graderBefore(named) ?? {}
  const number = withoutSign(rest)
  if (!grader || !(grader.certificate?.shape ?? anyNumber).test(padded(number, grader))) return undefined
  return { number, grader, graders: [grader] }
}

/** For graders whose numbers have no known shape. */
const anyNumber = /^\d{4,}$/

/** With the leading zeros of the label. */
function padded(number: string, { certificate }: Grader): string {
  return /^\d+$/.test(number)
    ? number.replace(/^0+(?=\d)/, '').padStart(certificate?.digits[0] ?? 0, '0')
    : number
}

export function graderOf({ grader, cert_number }: Grading): string | null {
  return gradersOf({ grader, cert_number })[0] ?? null
}

/** Canonical names: several for an address that several graders share, none if the slab names no grader. */
export function gradersOf({ grader, cert_number }: Grading): readonly string[] {
  if (grader != null && grader.trim() !== '') return [graderKey(grader)]
  return linkedCertificate(cert_number ?? '')?.graders.map(({ name }) => name) ?? []
}

/** Equal if and only if two slabs are the same. Undefined without a certificate. */
export function slabKey(slab: Grading): string | undefined {
  const cert = certKey(slab.cert_number ?? '')
  return cert === '' ? undefined : `${graderOf(slab) ?? ''} ${cert}`
}

/** For each slab that repeats an earlier one, the place of the first. */
export function repeatsAmong(slabs: readonly Grading[]): Map<number, number> {
  const first = new Map<string, number>()
  const repeats = new Map<number, number>()
  for (const [at, slab] of slabs.entries()) {
    const key = slabKey(slab)
    const before = key === undefined ? undefined : first.get(key)
    if (before !== undefined) repeats.set(at, before)
    else if (key !== undefined) first.set(key, at)
  }
  return repeats
}

/** If one side has no grader, the graders do not differ. */
export function isSameCertificate(a: Grading, b: Grading): boolean {
  const cert = certKey(a.cert_number ?? '')
  if (cert === '' || cert !== certKey(b.cert_number ?? '')) return false
  const [ones, others] = [gradersOf(a), gradersOf(b)]
  return ones.length === 0 || others.length === 0 || ones.some((name) => others.includes(name))
}

/** As in `BGS 0012345678`, with the leading zeros of the label. */
export function slabName(slab: Grading): string {
  const name = graderOf(slab) ?? ''
  const cert = certKey(slab.cert_number ?? '')
  const { grader } = readGrader(name)
  return `${name} ${grader ? padded(cert, grader) : cert}`.trim()
}
