import type { LineStatus, ManifestStatus, MatchKey } from '../../contract/enums.ts'
import { conflict, type Rejection } from '../rejection.ts'

/** Units. `clean + flagged` never exceeds `quantity`. */
export type LineProgress = { quantity: number; clean: number; flagged: number }

/** A line's record of its arrivals, for the report (decisions 6). */
export type LineRecord = LineProgress & {
  condition_flags: readonly string[]
  match_key: MatchKey | null
  match_score: number | null
}

export type LineArrival = { condition_flags: readonly string[]; key: MatchKey; score: number }

/** Units, not lines (decisions 6). */
type ManifestTotals = {
  expected: number
  matched: number
  missing: number
  unexpected: number
  condition_mismatch: number
}

/** `unexpected`: items of the manifest that match no line (3.1, 3.2). Throws a conflict if it is reconciled already. */
export function planClose(
  status: ManifestStatus,
  progress: LineProgress,
  unexpected: number,
): { status: 'reconciled'; totals: ManifestTotals } {
  if (!isOpen(status)) throw closed()
  return { status: 'reconciled', totals: manifestTotals(progress, unexpected) }
}

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

/** Intake verification raised no flag (2.6). */
function isClean(conditionFlags: readonly string[]): boolean {
  return conditionFlags.length === 0
}

/** Keeps the lowest score, as the one to check. Throws an Error if the line is full: matching offers only lines with room. */
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

/** Provisional while the manifest is open: `missing` then has not arrived yet (decisions 6). */
export function manifestTotals(
  { quantity, clean, flagged }: LineProgress,
  unexpected: number,
): ManifestTotals {
  const missing = quantity - clean - flagged
  return { expected: quantity, matched: clean, missing, unexpected, condition_mismatch: flagged }
}

/** `difference` = received - expected (decisions 10). */
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

function closed(): Rejection {
  return conflict('This manifest is already closed.', { status: 'reconciled' })
}
