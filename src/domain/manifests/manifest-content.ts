import type { Manifest, ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { sha256 } from '../computing.ts'

/** Two manifests are the same if their lines are, in any order. */
export function lineContent(line: Partial<ManifestLineCreate>): string {
  const { external_ref, description, grader, cert_number, quantity = 1, sku } = line
  return JSON.stringify(
    [external_ref, description, grader, cert_number, sku]
      .map((each) => each ?? null)
      .concat(String(quantity)),
  )
}

/** `sorted`: each line's `lineContent`, as sorted texts. */
export function manifestContent(sorted: readonly string[]): string {
  return sha256(sorted.map((text) => `${text}\n`).join('')).slice(0, digestLength)
}

/** 16 bytes of a SHA-256, in hexadecimal. */
export const digestLength = 32

export function hasOtherLines({ id, created_at, status, reference }: Manifest): string {
  return `Manifest ${id} of ${created_at.slice(0, 10)}, which is ${status}, has the reference ${reference} and other lines.`
}
