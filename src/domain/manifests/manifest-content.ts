import type { ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { sha256 } from '../computing.ts'

/** A line of a manifest as two manifests are compared by it, in whatever order their lines are. */
export function lineContent(line: Partial<ManifestLineCreate>): string {
  const { external_ref, description, grader, cert_number, quantity = 1, sku } = line
  return JSON.stringify(
    [external_ref, description, grader, cert_number, sku]
      .map((each) => each ?? null)
      .concat(String(quantity)),
  )
}

/** The digest of a manifest's lines, of which each is a `lineContent`, in their order as texts. */
export function manifestContent(sorted: readonly string[]): string {
  return sha256(sorted.map((text) => `${text}\n`).join('')).slice(0, digestLength)
}

/** Of the hexadecimal digits of a SHA-256: 16 bytes. */
export const digestLength = 32
