import type { ManifestReport, ReportLine } from '../../contract/resources/manifest.ts'

/** A manifest's lines in groups for checking a delivery: each in exactly one, in the manifest's order. */
type LineGroups = {
  /** Fewer arrived than expected, flagged or not. */
  short: readonly ReportLine[]
  /** As many as expected, at least one of them with a condition flag. */
  flagged: readonly ReportLine[]
  clean: readonly ReportLine[]
}

export function groupLines({ lines }: ManifestReport): LineGroups {
  const isShort = (line: ReportLine): boolean => line.difference < 0
  const isFlagged = (line: ReportLine): boolean => line.condition_flags.length > 0
  return {
    short: lines.filter(isShort),
    flagged: lines.filter((line) => !isShort(line) && isFlagged(line)),
    clean: lines.filter((line) => !isShort(line) && !isFlagged(line)),
  }
}
