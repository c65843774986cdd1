import type { ManifestReport } from '../../contract/resources/manifest.ts'
import type { Flagged } from '../views/manifests.ts'
import type { MarkedLine } from './report-tables.ts'

/** Groups for checking a delivery: each line is in exactly one, in the manifest's order. */
type LineGroups = {
  /** Fewer arrived than expected, flagged or not. */
  short: readonly MarkedLine[]
  /** As many as expected, at least one of them with a condition flag. */
  flagged: readonly MarkedLine[]
  clean: readonly MarkedLine[]
}

export function groupLines({ lines: all, flagged = [] }: ManifestReport & Partial<Flagged>): LineGroups {
  const units = Map.groupBy(flagged, ({ line_id }) => line_id)
  const lines = all.map((line) => ({ ...line, flagged: units.get(line.id) ?? [] }))
  const isShort = (line: MarkedLine): boolean => line.difference < 0
  const isFlagged = (line: MarkedLine): boolean => line.condition_flags.length > 0
  return {
    short: lines.filter(isShort),
    flagged: lines.filter((line) => !isShort(line) && isFlagged(line)),
    clean: lines.filter((line) => !isShort(line) && !isFlagged(line)),
  }
}
