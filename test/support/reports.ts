import fc from 'fast-check'
import type { ManifestReport, ReportLine, UnexpectedItem } from '../../src/contract/resources/manifest.ts'
import { anyText } from './any-text.ts'

export function reportLine(own: Partial<ReportLine> = {}): ReportLine {
  return {
    id: '01a14ddd-0bf1-7002-8000-03f9a8c366e2',
    external_ref: 'PO-1041-01',
    description: '1999 Pokemon Base Set Mewtwo Holo #10',
    grader: 'PSA',
    cert_number: '86294798',
    quantity: 1,
    status: 'matched',
    matched_qids: ['Q-067Z-XYV4-W8M1'],
    sku: null,
    received_quantity: 1,
    difference: 0,
    condition_flags: [],
    match_key: 'cert_number',
    match_score: 1,
    ...own,
  }
}

export function unexpectedItem(own: Partial<UnexpectedItem> = {}): UnexpectedItem {
  return {
    qid: 'Q-EQD4-M4BY-11P9',
    name: '2004 Panini Mega Cracks Soccer Lionel Messi #71',
    sku: 'GS-PSA-8-RPY8AKYM',
    cert_number: '132561154',
    intake_at: '2026-10-21T07:15:54.577Z',
    condition_flags: [],
    ...own,
  }
}

/** A final report of these lines; `matched` is what remains of the totals. */
export function reportOf(
  lines: readonly ReportLine[],
  unexpected: readonly UnexpectedItem[] = [],
  flaggedUnits = 0,
): ManifestReport {
  const expected = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const missing = lines.reduce((sum, { difference }) => sum - difference, 0)
  return {
    manifest_id: '01a14ddd-0bf1-7002-8000-03f9a8c366e2',
    reference: 'PO-1041',
    status: 'reconciled',
    generated_at: '2026-10-26T07:17:54.577Z',
    totals: {
      expected,
      matched: expected - missing - flaggedUnits,
      missing,
      unexpected: unexpected.length,
      condition_mismatch: flaggedUnits,
    },
    lines: [...lines],
    unexpected: [...unexpected],
  }
}

/** Text with which partners might try to break a page. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        '</title></style></td></table>',
        '<!--',
        ']]>',
        '&lt;',
        '&#60;',
        '&',
        '<',
        '\u202e',
        '\0',
        '\ud800',
        'https://evil.example/x.png',
      ),
      anyText({ maxLength: 8 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
