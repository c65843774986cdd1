import { type Grader, graderKey, graders, readGrader } from './graders.ts'

export type Grading = { grader?: string | null | undefined; cert_number?: string | null | undefined }

/** The number in a web address, its grader, and all graders with such addresses. */
type Linked = { number: string; grader: Grader; graders: readonly Grader[] }

export function linkedCertificate(text: string): Linked | undefined {
  return linkIn(withoutSeparators(text))
}

/** Ignores spaces, dashes, case and, if all digits, leading zeros: no grader numbers two slabs that differ in zeros alone. */
export function certKey(text: string): string {
  const bare = withoutSeparators(text)
  const number = linkIn(bare)?.number ?? bare.replace(/^#+(?=.)/, '')
  return /^0\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number
}

function withoutSeparators(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\u2212]+/gu, '')
    .toUpperCase()
}

function linkIn(bare: string): Linked | undefined {
  if (!bare.includes('.COM/')) return undefined
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
  const [least] = readGrader(name).grader?.certificate?.digits ?? [0]
  return `${name} ${/^\d+$/.test(cert) ? cert.padStart(least, '0') : cert}`.trim()
}
