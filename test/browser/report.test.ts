import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, describe, expect, test } from 'vitest'
import { pickPage } from '../../src/cli/report/barcode-pages.ts'
import { reportPage } from '../../src/cli/report/report-page.ts'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { textOf } from '../support/markup.ts'
import { reportLine, reportOf, unexpectedItem } from '../support/reports.ts'

const browser = process.env.CUSTODY_TEST_BROWSER ?? 'chromium'
const folder = mkdtempSync(join(tmpdir(), 'custody-browser-'))
const attack = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
const page = reportPage(extremeReport(), {
  madeAt: 0,
  environment: 'sandbox',
  partner: 'Northgate',
  version: '0.1.0',
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the page of a report, in a browser', () => {
  test('shows what partners wrote as text and runs none of it', async () => {
    const shown = await dom(page.replace(/<meta http-equiv[^>]*>/, ''))
    expect(shown).toMatch(/<title>PO-1041 . Northgate . reconciliation report<\/title>/)
    expect(shown).not.toMatch(/<img|<script/)
    expect(textOf(shown)).toContain(attack)
  })

  test.each([1200, 1000, 800])('fits a window %i wide without clipping or overlap', async (width) => {
    expect(await misfits(page, width)).toEqual([])
  })

  test("keeps every column on a phone's screen", async () => {
    expect(await misfits(page, 390)).toEqual([])
  })

  test('fits a sheet of paper', async () => {
    const onPaper = page.replace('@media print', '@media all')
    expect(await misfits(onPaper, 720)).toEqual([])
  })
})

test('a page of picks with long names, SKUs, and references fits a sheet of paper', async () => {
  const long = 'WITHOUTABREAK'.repeat(20)
  const order = { external_ref: long, deliver_by: null, special_instructions: long } as Fulfillment
  const item = { qid: 'Q-7F3K-9M2P-X4TA', name: long, sku: long, grader: long, grade: '9', cert_number: long }
  const picks = [{ order, items: [item as Item] }]
  const holder = { partner: long, environment: 'sandbox' } as const
  expect(await misfits(pickPage(picks, holder, '2026-11-02T09:30:12.000Z'), 720)).toEqual([])
})

function extremeReport() {
  const long =
    'A description that goes on, for its partner has typed in whatever the seller had to say of it. '
  const many = reportLine({
    description: long.repeat(3),
    external_ref: 'AVERYLONGREFERENCEWITHOUTABREAK'.repeat(3),
    sku: 'PKM-SSP-BB36-WITHAVERYLONGPARTTHATDOESNOTBREAK',
    quantity: 1_000_000,
    received_quantity: 0,
    difference: -1_000_000,
    condition_flags: ['damaged', 'seal_broken_or_missing', 'unreasonablylongflag'],
    matched_qids: Array.from({ length: 40 }, (_, index) => `Q-7F3K-9M2P-X${100 + index}`),
  })
  const hostile = reportLine({ description: attack, external_ref: attack, condition_flags: [attack] })
  const report = reportOf(
    [many, hostile, reportLine()],
    [unexpectedItem({ name: long, sku: many.sku ?? '' })],
  )
  return { ...report, totals: { ...report.totals, matched: 123_456_789 } }
}

/** Elements that overflow their box, and overlapping boxes in a row, as the browser measures them. */
async function misfits(source: string, width: number): Promise<string[]> {
  const measure = `
    const found = innerWidth === ${width} ? [] : ['the window is ' + innerWidth]
    for (const cell of document.querySelectorAll('td, th'))
      if (innerWidth < 700 && cell.getBoundingClientRect().right > innerWidth) found.push('beyond the screen')
    if (document.documentElement.scrollWidth > innerWidth) found.push('page ' + document.documentElement.scrollWidth)
    for (const box of document.querySelectorAll('h1, h2, td, th, dt, dd, p')) {
      if (box.scrollWidth > box.clientWidth + 1) found.push(box.textContent.trim().slice(0, 40))
      const range = document.createRange()
      range.selectNodeContents(box)
      for (const { right } of range.getClientRects())
        if (right > box.getBoundingClientRect().right + 1) found.push('text of ' + box.textContent.trim().slice(0, 40))
    }
    top.document.title = JSON.stringify(found)`
  const measured = source
    .replace(/<meta http-equiv[^>]*>/, '')
    .replace('</body>', `<script>addEventListener('load', () => { ${measure} })</script></body>`)
  const shown = width < 500 ? framed(measured, width) : measured
  const [, title = 'null'] = /<title>(.*?)<\/title>/s.exec(await dom(shown, width)) ?? []
  return JSON.parse(textOf(title)) as string[]
}

/** A Chromium window is at least 500 wide, but a frame inside it can be narrower. */
function framed(source: string, width: number): string {
  const escaped = source.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<title>none</title><iframe style="width:${width}px;height:3000px;border:0" srcdoc="${escaped}"></iframe>`
}

/** The page after the browser has loaded it. */
async function dom(source: string, width = 1200): Promise<string> {
  const file = join(folder, 'page.html')
  writeFileSync(file, source)
  const { stdout } = await execa(browser, [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--user-data-dir=${mkdtempSync(join(folder, 'profile-'))}`,
    `--window-size=${width},1600`,
    '--dump-dom',
    `file://${file}`,
  ])
  return stdout
}
