/** What a slab is known by; the grader may be unknown. */
export type Grading = { grader?: string | null | undefined; cert_number?: string | null | undefined }

export function certKey(text: string): string {
  return text.replace(/[\s\p{Pd}\u2212]+/gu, '').toUpperCase()
}

export function graderOf({ grader }: Grading): string | null {
  return grader == null || grader.trim() === '' ? null : grader.trim().toUpperCase()
}

export function isSameCertificate(a: Grading, b: Grading): boolean {
  const cert = certKey(a.cert_number ?? '')
  if (cert === '' || cert !== certKey(b.cert_number ?? '')) return false
  const [one, other] = [graderOf(a), graderOf(b)]
  return one === null || other === null || one === other
}
