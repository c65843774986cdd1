import type { LineStatus, ManifestStatus, MatchKey } from '../../contract/enums.ts'
import { dayMs, faultsMax } from '../../contract/limits.ts'
import type {
  Manifest,
  ManifestCreate,
  ManifestLine,
  ManifestLineCreate,
  ReconciliationTotals,
  ReportLine,
} from '../../contract/resources/manifest.ts'
import { sha256 } from '../computing.ts'
import { conflict, type FieldErrors, type Given, type Rejection } from '../rejection.ts'

/** Units. `clean + flagged` never exceeds `quantity`. */
export type LineProgress = { quantity: number; clean: number; flagged: number }

/** A line's record of its arrivals, for the report (decisions 6). */
export type LineRecord = LineProgress & {
  condition_flags: readonly string[]
  match_key: MatchKey | null
  match_score: number | null
}

export type LineArrival = { condition_flags: readonly string[]; key: MatchKey; score: number }

/** `unexpected`: items of the manifest that match no line (3.1, 3.2). Throws a conflict if it is reconciled already. */
export function planClose(
  status: ManifestStatus,
  progress: LineProgress,
  unexpected: number,
): { status: 'reconciled'; totals: ReconciliationTotals } {
  if (!isOpen(status)) throw closed()
  return { status: 'reconciled', totals: manifestTotals(progress, unexpected) }
}

/** The whole graph of manifest statuses (3.1, 3.2). */
export const manifestEdges: ReadonlyArray<{ readonly from: ManifestStatus; readonly to: ManifestStatus }> = [
  { from: 'submitted', to: 'receiving' },
  { from: 'submitted', to: 'reconciled' },
  { from: 'receiving', to: 'reconciled' },
]

/** The specification's "open" (3.1): arrivals may still be matched. */
export function isOpen(status: ManifestStatus): boolean {
  return status !== 'reconciled'
}

/** Throws a conflict if the manifest is reconciled (decisions 11). */
export function statusAfterArrival(status: ManifestStatus): ManifestStatus {
  if (!isOpen(status)) throw closed()
  return 'receiving'
}

/** Flagged units count too, because they did arrive (decisions 6). */
export function hasRoom(line: LineProgress): boolean {
  return line.clean + line.flagged < line.quantity
}

/** 3.2, decisions 6: an open manifest still expects what a reconciled one misses. */
export function lineStatus(line: LineProgress, manifestStatus: ManifestStatus): LineStatus {
  if (line.flagged > 0) return 'condition_mismatch'
  if (!hasRoom(line)) return 'matched'
  return isOpen(manifestStatus) ? 'expected' : 'missing'
}

/** Keeps the lowest score, as the one to check. Throws an Error if the line is full: matching offers only lines with room. */
export function recordArrival<L extends LineRecord>(line: L, arrival: LineArrival): L {
  if (!hasRoom(line)) throw new Error('an arrival was matched to a line that is full')
  const clean = arrival.condition_flags.length === 0
  return {
    ...line,
    clean: line.clean + (clean ? 1 : 0),
    flagged: line.flagged + (clean ? 0 : 1),
    condition_flags: [...new Set([...line.condition_flags, ...arrival.condition_flags])],
    match_key: arrival.key,
    match_score: Math.min(line.match_score ?? 1, arrival.score),
  }
}

/** Units, not lines. Provisional while the manifest is open: `missing` then has not arrived yet (decisions 6). */
export function manifestTotals(
  { quantity, clean, flagged }: LineProgress,
  unexpected: number,
): ReconciliationTotals {
  const missing = quantity - clean - flagged
  return { expected: quantity, matched: clean, missing, unexpected, condition_mismatch: flagged }
}

/** `difference` = received - expected (decisions 10). */
export function reportFields(line: LineRecord): Omit<ReportLine, keyof ManifestLine> {
  const received = line.clean + line.flagged
  return {
    received_quantity: received,
    difference: received - line.quantity,
    condition_flags: [...line.condition_flags],
    match_key: line.match_key,
    match_score: line.match_score,
  }
}

function closed(): Rejection {
  return conflict('This manifest is already closed.', { status: 'reconciled' })
}

/** In UTC days (3.1). The last day of grace counts whole: an end of the 1st with 7 days is due from the 9th, 00:00:00.000Z. */
export function lastDueArrivalEnd(now: string, graceDays: number): string {
  return new Date(Date.parse(now) - (graceDays + 1) * dayMs).toISOString().slice(0, 10)
}

/** Null if the arrival window has no end. */
export function closingDay(arrivalEnd: string | null, graceDays: number): string | null {
  if (arrivalEnd === null) return null
  return new Date(Date.parse(arrivalEnd) + dayMs * (graceDays + 1)).toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

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
