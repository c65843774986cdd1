import { type Grader, gradeOn, graderKey, graders, readGrader } from './graders.ts'

export type Grading = { grader?: string | null | undefined; cert_number?: string | null | undefined }

/** A number from a web address, or next to a grader's name. `graders`: all whose addresses look like this. */
type Linked = { number: string; grader: Grader; graders: readonly Grader[] }

export function linkedCertificate(text: string): Linked | undefined {
  return linkIn(text) ?? prefixedIn(withSpaces(text))
}

/** Completes the message that the grader is missing with the grader that the certificate itself names, if any. */
export function graderNamed(text: string | null | undefined): string {
  const names = linkedCertificate(text ?? '')?.graders.map(({ name }) => name) ?? []
  if (names.length === 0) return ''
  return isAddress(text ?? '')
    ? `: this address is of ${names.join(' or ')}`
    : `: the number names ${names[0]}`
}

/**
 * Ignores spaces, dashes, case and, if all digits, leading zeros: no grader numbers two slabs that differ in zeros alone. A text that
 * would be another number without its spaces, such as `PSA 9 123456`, is not a certificate and keeps them.
 */
export function certKey(text: string): string {
  const spaced = withSpaces(text)
  const bare = spaced.replaceAll(' ', '')
  if (/^\d*$/.test(bare)) return withoutZeros(bare)
  const linked = linkIn(text) ?? prefixedIn(spaced)
  if (!linked && (prefixedIn(bare) ?? linkIn(bare))) return spaced
  return withoutZeros(linked?.number ?? withoutSign(bare))
}

/** Missing, or nothing but spaces and dashes. */
export function isBlank(text: string | null): text is null {
  return text === null || withSpaces(text) === ''
}

function withoutZeros(number: string): string {
  return /^0\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number
}

export function isAddress(text: string): boolean {
  return /\.[a-z]{2,3}\//i.test(decoded(text))
}

/** Without percent-encoding: `%2D` is a dash. */
export function decoded(text: string): string {
  return text.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Writes letters as capitals and any spaces and dashes as one space; drops invisible characters and leading marks. */
function withSpaces(text: string): string {
  const upper = text.normalize('NFKC').toUpperCase()
  return upper
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Pd}\u2212]+/gu, ' ')
    .trim()
    .replace(/^['\u2019#][# ]*(?=.)/, '')
}

/** Drops the sign, as in `Cert #48201934`, `No. 48201934`, `(48201934)`, or `Certification No. A1234567`. */
function withoutSign(bare: string): string {
  return bare.replace(/^(?:CERT(?:IFICATE|IFICATION)?|SERIAL|NUMBER|NO|[#.:([])*([A-Z]?\d+)[)\]]*$/, '$1')
}

/** The end of a host: a site, perhaps behind a subdomain. In the name of a folder it does not count. */
const host = /\b([A-Z]+)\.(?:COM|CO\.[A-Z]{2}|[A-Z]{2})(?::\d+)?(?= ?\/)/g

function linkIn(text: string): Linked | undefined {
  const address = decoded(text)
  if (!address.includes('/')) return undefined
  const written = withSpaces(address.replace(/[\p{Pd}\u2212]/gu, ''))
  const linked = [...written.matchAll(host)].flatMap(({ 0: { length }, 1: site, index }) => {
    if (written[index - 1] === '/' && written[index - 2] !== '/') return []
    const path = written.slice(index + length).replaceAll(' ', '')
    return graders.flatMap((grader) => {
      const links = grader.links.filter((link) => link.site === site)
      const number = links.map((link) => link.number.exec(path)?.[1]).find(Boolean)
      return number === undefined ? [] : { number, grader, path }
    })
  })
  // Beckett's address names which of its three services graded the card.
  const named = linked.filter(({ grader, path }) => path.includes(`ITEM_TYPE=${grader.name}`))
  const [first, ...others] = named.length > 0 ? named : linked
  return first && { ...first, graders: [first, ...others].map(({ grader }) => grader) }
}

const prefixedMax = 100

/**
 * As in `PSA 48201934`, `P.S.A. Cert #48201934`, or `PSA 10 GEM MT 48201934`: a number of the grader's shape, after a text that
 * could stand in a column of graders, or before one, as in `48201934 PSA 10`. Of several such numbers, as in `PSA 9 48201934`, the shortest counts, if it is surely whole.
 */
function prefixedIn(spaced: string): Linked | undefined {
  if (spaced.length > prefixedMax || !/[A-Z]\W?[A-Z]/.test(spaced)) return undefined
  const [, leading = '', rest = ''] = /^([A-Z]?\d{4,}) (\D.*)$/.exec(spaced) ?? []
  const before = leading === '' ? undefined : certificateOf(leading, rest)
  if (before) return { number: before.number, grader: before.grader, graders: [before.grader] }
  const found = [...spaced.matchAll(/(?<!\d|\d[.,])\d/g)].flatMap(({ index }) => {
    const letter = /[A-Z] ?$/.exec(spaced.slice(0, index))?.index
    return [letter ?? index, index].flatMap((start) => numberFrom(spaced, start) ?? [])
  })
  const last = found.at(-1)
  if (!last) return undefined
  const { number, grader, written } = last
  const isWhole = number.length >= (grader.certificate?.digits[0] ?? 0) && !/^(?:10|[1-9]) /.test(written)
  if (number !== found[0]?.number && !isWhole) return undefined
  return { number, grader, graders: [grader] }
}

function numberFrom(
  spaced: string,
  start: number,
): { number: string; grader: Grader; written: string } | undefined {
  const written = spaced.slice(start)
  const [, number] = /^([A-Z]?\d{4,})[)\]]*$/.exec(written.replaceAll(' ', '')) ?? []
  const before = spaced.slice(0, start).replace(/\b(?:CERT(?:IFICATE|IFICATION)?|NUMBER|NO)\b/g, '')
  // A digit after a number sign begins the number.
  if (number === undefined || /# ?\d/.test(before)) return undefined
  const found = certificateOf(number, before.replace(/[ #:;,.|/([]{1,4}$/, ''))
  return found && { ...found, written }
}

/** The number and its grader, if the text names a grader, perhaps with a grade, whose certificates have this shape. */
function certificateOf(number: string, text: string): { number: string; grader: Grader } | undefined {
  const { grader, grade } = readGrader(text)
  if (!grader || !(grader.certificate?.shape ?? anyNumber).test(padded(number, grader))) return undefined
  return grade === null || isGrade(grade, grader) ? { number, grader } : undefined
}

/** A grade of this grader, or one that another may give. */
function isGrade(text: string, grader: Grader): boolean {
  return gradeOn(grader, text) !== undefined || /^(?:10|[1-9])(?:\.\d)?$/.test(text)
}

/** For graders whose numbers have no known shape. */
export const anyNumber = /^\d+$/

export function padded(number: string, { certificate }: Grader): string {
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
  if (cert.startsWith(`${name} `)) return cert
  const { grader } = readGrader(name)
  return `${name} ${grader ? padded(cert, grader) : cert}`.trim()
}
