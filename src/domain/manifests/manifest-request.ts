import { faultsMax } from '../../contract/limits.ts'
import type { ManifestCreate } from '../../contract/resources/manifest.ts'
import type { FieldErrors, Given } from '../rejection.ts'

/** A window may be in the past, but not end before it starts; a certificate is one item (decisions 11); SKUs as in 2.3. */
export function requestFaults(
  { expected_arrival_start: start, expected_arrival_end: end, lines = [] }: Given<ManifestCreate>,
  isInCatalog: (sku: string) => boolean = () => true,
): FieldErrors {
  const faults: Array<[string, string[]]> = []
  if (start && end && end < start)
    faults.push(['expected_arrival_end', ['must not be before expected_arrival_start']])
  for (const [at, { sku, cert_number, quantity = 1 } = {}] of lines.entries()) {
    if (sku != null && !isInCatalog(sku)) faults.push([`lines[${at}].sku`, ['is not in the catalog']])
    if (cert_number != null && quantity > 1)
      faults.push([`lines[${at}].quantity`, ['must be 1 with a cert_number: one certificate is one item']])
    if (faults.length >= faultsMax) break
  }
  return Object.fromEntries(faults.slice(0, faultsMax))
}
