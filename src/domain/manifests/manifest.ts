import type { LineStatus, ManifestStatus, MatchKey } from '../../contract/enums.ts'
import { conflict, type Refusal } from '../refusal.ts'

/** How far a line is filled, in units. `clean + flagged` never exceeds `quantity`. */
export type LineProgress = { quantity: number; clean: number; flagged: number }

/** What a line remembers of its arrivals, for the report (decisions 6). */
export type LineRecord = LineProgress & {
  condition_flags: readonly string[]
  match_key: MatchKey | null
  match_score: number | null
}

/** One unit that was matched to a line: the flags of intake verification and how the line was found. */
export type LineArrival = { condition_flags: readonly string[]; key: MatchKey; score: number }

/** Units, not lines (decisions 6). */
type ManifestTotals = {
  expected: number
  matched: number
  missing: number
  unexpected: number
  condition_mismatch: number
}

/**
 * Closes an open manifest; whatever has not arrived is missing (3.1, 3.2). `unexpected` is the number of items attributed to
 * the manifest that match none of its lines. Throws a conflict when it is reconciled already.
 */
export function planClose(
  status: ManifestStatus,
  progress: LineProgress,
  unexpected: number,
): { status: 'reconciled'; totals: ManifestTotals } {
  if (!isOpen(status)) throw closed()
  return { status: 'reconciled', totals: manifestTotals(progress, unexpected) }
}

/** Arrivals may still be matched to it: the specification's "open" (3.1). */
export function isOpen(status: ManifestStatus): boolean {
  return status !== 'reconciled'
}

/** The status once an arrival is attributed to the manifest. Throws a conflict when it is reconciled (decisions 11). */
export function statusAfterArrival(status: ManifestStatus): ManifestStatus {
  if (!isOpen(status)) throw closed()
  return 'receiving'
}

/** A line still waits for units. Flagged ones fill it too: they did arrive (decisions 6). */
export function hasRoom(line: LineProgress): boolean {
  return line.clean + line.flagged < line.quantity
}

/** The status of a line of a manifest in this status (3.2, decisions 6). */
export function lineStatus(line: LineProgress, manifestStatus: ManifestStatus): LineStatus {
  if (line.flagged > 0) return 'condition_mismatch'
  if (!hasRoom(line)) return 'matched'
  return isOpen(manifestStatus) ? 'expected' : 'missing'
}

/** Verification raised nothing (2.6). */
function isClean(conditionFlags: readonly string[]): boolean {
  return conditionFlags.length === 0
}

/**
 * The line with one more unit. Its flags are those of all its units, each once; of several scores the lowest stays, since
 * that is the one to look at. Throws an Error when the line is full: matching offers open lines only.
 */
export function recordArrival<L extends LineRecord>(line: L, arrival: LineArrival): L {
  if (!hasRoom(line)) throw new Error('an arrival was matched to a line that is full')
  const clean = isClean(arrival.condition_flags)
  return {
    ...line,
    clean: line.clean + (clean ? 1 : 0),
    flagged: line.flagged + (clean ? 0 : 1),
    condition_flags: [...new Set([...line.condition_flags, ...arrival.condition_flags])],
    match_key: arrival.key,
    match_score: Math.min(line.match_score ?? 1, arrival.score),
  }
}

/**
 * The totals from how far all lines are filled together, provisional while the manifest is open; `missing` then is what has not
 * arrived yet (decisions 6).
 */
export function manifestTotals(
  { quantity, clean, flagged }: LineProgress,
  unexpected: number,
): ManifestTotals {
  const missing = quantity - clean - flagged
  return { expected: quantity, matched: clean, missing, unexpected, condition_mismatch: flagged }
}

/** What a line of the report has beside the line itself (decisions 10); `difference` = received - expected. */
export function reportFields(line: LineRecord): {
  received_quantity: number
  difference: number
  condition_flags: string[]
  match_key: MatchKey | null
  match_score: number | null
} {
  const received = line.clean + line.flagged
  return {
    received_quantity: received,
    difference: received - line.quantity,
    condition_flags: [...line.condition_flags],
    match_key: line.match_key,
    match_score: line.match_score,
  }
}

function closed(): Refusal {
  return conflict('This manifest is already closed.', { status: 'reconciled' })
}
