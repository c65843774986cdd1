import { existsSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { prepareScanner, scanned } from '../support/scanned-codes.ts'

const operator = forAllTests(operatorWith())
beforeAll(async () => {
  await prepareScanner()
})

describe('manifests labels', () => {
  test('writes a label for each parcel whose codes encode the manifest and its reference', async () => {
    const { id } = await operator.look<Manifest>(['manifests', 'show', 'PO-1041'])
    const args = ['manifests', 'labels', 'PO-1041', '--html', 'l.html', '--parcels', '2']
    const { exitCode, stderr } = await operator.run(args)
    expect([exitCode, stderr]).toEqual([0, 'Wrote 2 labels of PO-1041 to l.html\n'])
    const page = operator.read('l.html')
    const label = [[`QRCode: ${id} PO-1041`], ['Code128: PO-1041']]
    expect(await scanned(page)).toEqual([...label, ...label])
    expect(page).toContain('<p>35 lines, 36 units</p>')
    expect(page).toContain('<p class="partner">Sandbox</p>')
    expect(page.match(/<\/svg>\s*<p>PO-1041<\/p>/g)?.length).toBe(2)
    expect(page).toContain('>Sandbox: a rehearsal, no real product<')
    expect(page).toContain('>Closed: nothing more is expected<')
    expect(page).not.toContain(id)
    expect(page).toContain('Parcel<br/><b>2</b><br/>of <b>2</b>')
    expect(page).toContain('@page{size:4in 6in;')
    expect(page).not.toMatch(/<script|<link|\b(?:src|href)=|url\(/)
  })

  test('accepts any reference and puts four labels on A4', async () => {
    const reference = '買取 <7> & "more than a label is long" — 2026'
    const body = JSON.stringify({ reference, lines: [{ description: 'A box' }] })
    await operator.run(['manifests', 'submit', '-'], { input: body })
    const { stdout } = await operator.run(['manifests', 'labels', reference, '--html', '-', '--sheet', 'a4'])
    const [manifest] = await operator.look<Manifest[]>(['manifests', 'ls', '--reference', reference])
    expect(await scanned(stdout)).toEqual([
      [`QRCode: ${manifest?.id} ${reference}`],
      [`Code128: ${manifest?.id}`],
    ])
    expect(stdout).toContain(`</svg>\n<p>${manifest?.id}</p>`)
    expect(stdout).not.toContain('Closed:')
    expect(stdout).toContain('@page{size:A4;')
    expect(stdout).toContain('<h1>買取 &lt;7&gt; &amp; ')
  })

  test('exits 2 with advice for --pdf without Chromium and for no output file', async () => {
    const pdf = ['manifests', 'labels', 'PO-1041', '--pdf', 'l.pdf']
    const none = await operator.run(pdf, { env: { PATH: '/nowhere' } })
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('CUSTODY_BROWSER')])
    const broken = await operator.run(pdf, { env: { CUSTODY_BROWSER: '/bin/false' } })
    expect([broken.exitCode, broken.stderr]).toEqual([8, expect.stringContaining('could not print the page')])
    const nothing = await operator.run(pdf, { env: { CUSTODY_BROWSER: '/bin/true' } })
    expect([nothing.exitCode, nothing.stderr]).toEqual([8, expect.stringContaining('it wrote no PDF')])
    expect(existsSync(operator.path('l.pdf'))).toBe(false)
    const missing = await operator.run(['manifests', 'labels', 'PO-1041'])
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringContaining('--html FILE or --pdf FILE'),
    ])
  })

  test("replaces a PDF with the browser's output and replaces no other file", async () => {
    const script = `#!/bin/sh\nfor word; do case $word in --print-to-pdf=*) echo '%PDF-1.4 new' > "\${word#*=}";; esac; done`
    writeFileSync(operator.path('browser'), script, { mode: 0o755 })
    const env = { CUSTODY_BROWSER: operator.path('browser') }
    for (const [before, after, code] of [
      ['%PDF-1.7 old', '%PDF-1.4 new\n', 0],
      ['prices', 'prices', 2],
    ] as const) {
      operator.write('l.pdf', before)
      const { exitCode } = await operator.run(['manifests', 'labels', 'PO-1041', '--pdf', 'l.pdf'], { env })
      expect([exitCode, operator.read('l.pdf')]).toEqual([code, after])
    }
  })
})
