import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageOptions } from '../../../src/cli/report/page.ts'
import { reportPage } from '../../../src/cli/report/report-page.ts'
import { tagsOf, textOf } from '../../support/markup.ts'
import { hostileText, reportLine, reportOf, unexpectedItem } from '../../support/reports.ts'

const options: PageOptions = {
  madeAt: Date.parse('2026-11-02T09:30:12.000Z'),
  environment: 'production',
  partner: 'Northgate',
  version: '0.1.0',
}
const missing = reportLine({
  external_ref: 'R-missing',
  quantity: 5,
  received_quantity: 3,
  difference: -2,
  condition_flags: ['damaged'],
  matched_qids: ['Q-A', 'Q-B', 'Q-C'],
})
const flagged = reportLine({ external_ref: 'R-flagged', condition_flags: ['cracked_case', 'wrong_item'] })
const clean = reportLine({ external_ref: 'R-clean' })
const full = reportOf([clean, flagged, missing], [unexpectedItem()], 2)

describe('the page of a report', () => {
  test('is self-contained: it has no address, script, or file, and tells the browser so', () => {
    const page = reportPage(full, options)
    expect(page).not.toMatch(/\b(?:src|href|action|srcset|data|poster)\s*=/i)
    expect(page).not.toMatch(/url\((?!#)|@import|https?:|<script|<link|<iframe/i)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  })

  test('starts with differences: missing, flagged, unexpected; then the rest', () => {
    const text = textOf(reportPage(full, options))
    const order = ['Missing 1 line', 'R-missing', 'Arrived with a flag 1 line', 'R-flagged'].concat([
      'Not on the manifest 1 item',
      'Q-EQD4-M4BY-11P9',
      'Arrived as expected 1 line',
      'R-clean',
    ])
    const places = order.map((each) => text.indexOf(each))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  test('has partner and manifest in its title, and labels every cell for a phone', () => {
    const page = reportPage(full, options)
    expect(page).toContain('<title>PO-1041 – Northgate – reconciliation report</title>')
    const cells = [...page.matchAll(/<td[^>]*data-label="([^"]+)"/g)].map(([, label]) => label)
    const headings = [...page.matchAll(/<th [^>]*>([^<]+)</g)].map(([, heading]) => heading)
    expect([...new Set(cells)]).toEqual([...new Set(headings)])
    expect(page.match(/<td/g)).toHaveLength(cells.length)
  })

  test('names certificate, items, flags, and difference of a line, each line once', () => {
    const page = reportPage(full, options)
    const row = rowOf(page, 'R-missing')
    expect(row).toEqual([
      'R-missing',
      missing.description,
      'PSA 86294798',
      '5',
      '3',
      '−2',
      'damaged',
      'Q-A Q-B Q-C',
    ])
    expect(rowOf(page, 'R-flagged')).toContain('cracked case wrong item')
    for (const { external_ref } of full.lines) expect(page.split(external_ref ?? '')).toHaveLength(2)
  })

  test('says how a line was matched if that was a guess', () => {
    const guess = reportLine({ match_key: 'description', match_score: 0.8123 })
    expect(textOf(reportPage(reportOf([guess]), options))).toContain('by description, 81% alike')
    expect(textOf(reportPage(reportOf([clean]), options))).not.toContain('alike')
  })

  test('counts the items of a line beyond the sixth', () => {
    const matched_qids = Array.from({ length: 1234 }, (_, index) => `Q-${index}-`)
    const line = reportLine({ quantity: 1234, received_quantity: 1234, matched_qids })
    const page = reportPage(reportOf([line]), options)
    expect(page).toContain('Q-5-')
    expect(page).not.toContain('Q-6-')
    expect(textOf(page)).toContain('and 1,228 more')
  })

  test('says not yet arrived instead of missing if it is provisional', () => {
    const open = { ...full, status: 'receiving' as const, generated_at: null }
    const text = textOf(reportPage(open, options))
    expect(text).toContain('Provisional. The manifest is still open')
    expect(text).toContain('Not arrived yet')
    expect(text).not.toContain('Missing')
  })

  test('says that a sandbox is a rehearsal', () => {
    const rehearsal = 'Sandbox: a rehearsal'
    expect(textOf(reportPage(full, { ...options, environment: 'sandbox' }))).toContain(rehearsal)
    expect(textOf(reportPage(full, options))).not.toContain(rehearsal)
  })

  test('has no empty section if all is well, and says so', () => {
    const text = textOf(reportPage(reportOf([clean]), options))
    expect(text).toContain('Everything arrived as expected.')
    expect(text).not.toMatch(/0 lines|0 items/)
  })
})

describe('the bar of totals', () => {
  test('has one part for each total above 0, in proportion', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 4, maxLength: 4 }), (units) => {
        const [matched = 0, condition_mismatch = 0, awaited = 0, unexpected = 0] = units
        const expected = matched + condition_mismatch + awaited
        const totals = { expected, matched, condition_mismatch, missing: awaited, unexpected }
        expect(partsOf(reportPage({ ...full, totals }, options))).toEqual(units.filter((each) => each > 0))
      }),
    )
  })

  test('adds up to the expected and the additional units', () => {
    const units = partsOf(reportPage(full, options))
    expect(units.reduce((sum, each) => sum + each)).toBe(full.totals.expected + full.totals.unexpected)
  })
})

describe('hostile text of partners', () => {
  test("leaves the page's tags and attributes intact and well formed", () => {
    const plain = tagsOf(reportPage(reportWith('x'), options))
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(tagsOf(reportPage(reportWith(text), options))).toEqual(plain)
      }),
    )
  })
})

function reportWith(text: string) {
  const words = {
    external_ref: text,
    description: text,
    grader: text,
    cert_number: text,
    sku: text,
    condition_flags: [text],
    matched_qids: [text],
  }
  const lines = [reportLine(words), reportLine({ ...words, difference: -1, received_quantity: 0 })]
  const item = {
    qid: text,
    name: text,
    sku: text,
    cert_number: text,
    condition_flags: [text],
    intake_at: text,
  }
  return { ...reportOf(lines, [unexpectedItem(item)]), reference: text, manifest_id: text }
}

function rowOf(page: string, ref: string): string[] {
  const row = page.split('<tr>').find((part) => part.includes(ref)) ?? ''
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => textOf(cell ?? '').trim())
}

function partsOf(page: string): number[] {
  return [...page.matchAll(/style="flex-grow:(\d+)"/g)].map(([, units]) => Number(units))
}
