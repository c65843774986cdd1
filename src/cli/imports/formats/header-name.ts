/** A column's name as compared: `Cert Number`, `cert_number` and `CERT-NUMBER` are one. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
