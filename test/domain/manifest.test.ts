import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { manifestStatuses, matchKeys } from '../../src/contract/enums.ts'
import {
  hasRoom,
  isOpen,
  type LineArrival,
  type LineProgress,
  type LineRecord,
  lineStatus,
  manifestTotals,
  planClose,
  recordArrival,
  reportFields,
  statusAfterArrival,
} from '../../src/domain/manifests/manifest.ts'
import { conflict } from '../../src/domain/rejection.ts'

const closed = conflict('This manifest is already closed.', { status: 'reconciled' })
const clean: LineArrival = { condition_flags: [], key: 'cert_number', score: 1 }
const cracked: LineArrival = { condition_flags: ['cracked_case'], key: 'description', score: 0.8 }

function line(quantity: number, ...arrivals: LineArrival[]): LineRecord {
  const fresh: LineRecord = {
    quantity,
    clean: 0,
    flagged: 0,
    condition_flags: [],
    match_key: null,
    match_score: null,
  }
  return arrivals.reduce(recordArrival, fresh)
}

/** How far lines are filled together. */
function together(all: readonly LineProgress[]): LineProgress {
  const sum = (of: (line: LineProgress) => number) => all.reduce((total, each) => total + of(each), 0)
  return { quantity: sum((l) => l.quantity), clean: sum((l) => l.clean), flagged: sum((l) => l.flagged) }
}

const arrivals = fc.record({
  condition_flags: fc.subarray(['cracked_case', 'label_mismatch', 'wrong_item']),
  key: fc.constantFrom(...matchKeys),
  score: fc.double({ min: 0.75, max: 1, noNaN: true }),
})
const lines = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.array(arrivals, { maxLength: 6 }))
  .map(([quantity, came]) => line(quantity, ...came.slice(0, quantity)))
const manifests = fc.array(lines, { minLength: 1, maxLength: 8 })

describe('the status of a line (3.2, decisions 6)', () => {
  test.each([
    ['expected', 'missing', line(1)],
    ['matched', 'matched', line(1, clean)],
    ['condition_mismatch', 'condition_mismatch', line(1, cracked)],
    ['expected', 'missing', line(3, clean, clean)],
    ['condition_mismatch', 'condition_mismatch', line(3, clean, cracked)],
    ['matched', 'matched', line(2, clean, clean)],
    ['condition_mismatch', 'condition_mismatch', line(2, cracked, clean)],
  ] as const)('is %s while open and %s once closed: %j', (open, reconciled, progress) => {
    expect(lineStatus(progress, 'submitted')).toBe(open)
    expect(lineStatus(progress, 'receiving')).toBe(open)
    expect(lineStatus(progress, 'reconciled')).toBe(reconciled)
  })

  test('becomes missing from expected at close, and nothing else changes', () => {
    fc.assert(
      fc.property(lines, (progress) => {
        const open = lineStatus(progress, 'receiving')
        expect(lineStatus(progress, 'reconciled')).toBe(open === 'expected' ? 'missing' : open)
      }),
    )
  })
})

describe('an arrival', () => {
  test('adds one unit to the line, clean or flagged', () => {
    expect(line(2, clean, cracked)).toEqual({
      quantity: 2,
      clean: 1,
      flagged: 1,
      condition_flags: ['cracked_case'],
      match_key: 'description',
      match_score: 0.8,
    })
  })

  test('adds each flag to the line once and keeps the lowest score', () => {
    const again: LineArrival = {
      condition_flags: ['label_mismatch', 'cracked_case'],
      key: 'description',
      score: 0.9,
    }
    expect(line(3, cracked, again)).toMatchObject({
      condition_flags: ['cracked_case', 'label_mismatch'],
      match_score: 0.8,
    })
  })

  test('does not modify the line it is given', () => {
    const before = line(2, cracked)
    const copy = structuredClone(before)
    recordArrival(before, { ...clean, condition_flags: ['damaged'] })
    expect(before).toEqual(copy)
  })

  test('finds room until clean and flagged units fill the quantity', () => {
    expect([line(2), line(2, clean), line(2, clean, cracked)].map(hasRoom)).toEqual([true, true, false])
    expect(() => recordArrival(line(1, cracked), clean)).toThrow(/full/)
  })

  test('makes an open manifest receiving, and is rejected by a closed one (decisions 6, 11)', () => {
    expect(statusAfterArrival('submitted')).toBe('receiving')
    expect(statusAfterArrival('receiving')).toBe('receiving')
    expect(() => statusAfterArrival('reconciled')).toThrow(closed)
    expect(manifestStatuses.filter(isOpen)).toEqual(['submitted', 'receiving'])
  })
})

describe('close (3.1, decisions 6)', () => {
  test('reconciles, names the lines that become missing, and counts units', () => {
    const [whole, half, none, damaged] = [line(2, clean, clean), line(3, clean), line(4), line(2, cracked)]
    const all = [whole, half, none, damaged]
    expect(planClose('receiving', together(all), 5)).toEqual({
      status: 'reconciled',
      totals: { expected: 11, matched: 3, missing: 7, unexpected: 5, condition_mismatch: 1 },
    })
    const statuses = all.map((each) => lineStatus(each, 'reconciled'))
    expect(statuses).toEqual(['matched', 'missing', 'missing', 'condition_mismatch'])
  })

  test('accepts a manifest of which nothing arrived', () => {
    expect(planClose('submitted', line(1), 0).totals).toEqual({
      expected: 1,
      matched: 0,
      missing: 1,
      unexpected: 0,
      condition_mismatch: 0,
    })
  })

  test('is rejected for a reconciled manifest', () => {
    expect(() => planClose('reconciled', line(1), 0)).toThrow(closed)
  })

  test('never loses a unit in its totals, whatever arrived', () => {
    fc.assert(
      fc.property(manifests, fc.nat(20), (all, unexpected) => {
        const { totals } = planClose('receiving', together(all), unexpected)
        expect(totals.expected).toBe(totals.matched + totals.condition_mismatch + totals.missing)
        expect(totals.unexpected).toBe(unexpected)
        expect(Object.values(totals).every((count) => count >= 0)).toBe(true)
        expect(totals).toEqual(manifestTotals(together(all), unexpected))
      }),
    )
  })

  test('leaves line differences that add up to the missing units', () => {
    fc.assert(
      fc.property(manifests, (all) => {
        const report = all.map(reportFields)
        const totals = manifestTotals(together(all), 0)
        expect(report.reduce((sum, each) => sum + each.difference, 0)).toBe(-totals.missing + 0)
        const received = report.reduce((sum, each) => sum + each.received_quantity, 0)
        expect(received).toBe(totals.matched + totals.condition_mismatch)
      }),
    )
  })
})

test('report lines have counts, difference, flags, and match (decisions 10, 11)', () => {
  expect(reportFields(line(3, cracked))).toEqual({
    received_quantity: 1,
    difference: -2,
    condition_flags: ['cracked_case'],
    match_key: 'description',
    match_score: 0.8,
  })
  expect(reportFields(line(1))).toEqual({
    received_quantity: 0,
    difference: -1,
    condition_flags: [],
    match_key: null,
    match_score: null,
  })
})
