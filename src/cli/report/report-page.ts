import type { ManifestReport } from '../../contract/resources/manifest.ts'
import { counted } from '../base/counted.ts'
import type { Flagged } from '../views/manifests.ts'
import { type Html, html, nothing } from './html.ts'
import { groupLines } from './line-groups.ts'
import { type PageOptions, page } from './page.ts'
import { lineTable, unexpectedTable } from './report-tables.ts'
import { countText, utcText } from './texts.ts'
import { type Share, sharesOf, totalsBar } from './totals-bar.ts'

/** Self-contained, for people without custody. Lines that are not as expected come first. */
export function reportPage(report: ManifestReport & Partial<Flagged>, options: PageOptions): string {
  const { reference, generated_at } = report
  const state =
    generated_at === null
      ? html`<p class="state open"><b>Provisional.</b> The manifest is still open; more may arrive.</p>`
      : html`<p class="state"><b>Final</b> since ${utcText(generated_at)} UTC</p>`
  return page(
    {
      kind: 'Reconciliation report',
      heading: reference,
      state,
      body: html`${totals(report)}
${sections(report)}`,
      foot: html`<p>Each line appears once: under what is missing, otherwise under its flags. Diff. is received minus expected.</p>`,
      source: html`Manifest ${reference}`,
    },
    options,
  )
}

function totals({ totals, generated_at }: ManifestReport): Html {
  const shares = sharesOf(totals, generated_at !== null)
  return html`<section class="totals">
<h2>Totals <span class="count">in units, ${countText(totals.expected)} expected</span></h2>
${totalsBar(shares)}
<dl>${shares.map(tile)}</dl>
</section>`
}

function tile({ name, label, units }: Share): Html {
  return html`<div class="tile ${name}${units === 0 ? ' none' : ''}"><dt>${label}</dt><dd>${countText(units)}</dd></div>`
}

function sections(report: ManifestReport & Partial<Flagged>): Html {
  const { short, flagged, clean } = groupLines(report)
  const isFinal = report.generated_at !== null
  const nothingWrong = short.length + flagged.length + report.unexpected.length === 0
  return html`${nothingWrong ? html`<p class="well">Everything arrived as expected.</p>` : nothing}
${section(isFinal ? 'Missing' : 'Not arrived yet', isFinal ? 'missing' : 'awaited', counted(short.length, 'line'), short.length, lineTable(short))}
${section('Arrived with a flag', 'flagged', counted(flagged.length, 'line'), flagged.length, lineTable(flagged))}
${section(
  'Not on the manifest',
  'unexpected',
  counted(report.unexpected.length, 'item'),
  report.unexpected.length,
  unexpectedTable(report.unexpected),
)}
${section('Arrived as expected', 'matched', counted(clean.length, 'line'), clean.length, lineTable(clean))}`
}

function section(title: string, name: string, count: string, rows: number, table: Html): Html {
  if (rows === 0) return nothing
  return html`<section class="${name}">
<h2>${title} <span class="count">${count}</span></h2>
${table}
</section>`
}
