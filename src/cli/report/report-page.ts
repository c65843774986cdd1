import type { ManifestReport } from '../../contract/resources/manifest.ts'
import { counted } from '../base/counted.ts'
import type { Flagged } from '../views/manifests.ts'
import { type Html, html, nothing } from './html.ts'
import { type PageOptions, page } from './page.ts'
import { countText, lineTable, type MarkedLine, unexpectedTable, utcText } from './report-tables.ts'

/** Self-contained, for people without custody. Lines that are not as expected come first. `only`: the statuses that are shown. */
export function reportPage(
  report: ManifestReport & Partial<Flagged>,
  options: PageOptions,
  only?: ReadonlySet<string>,
): string {
  const { reference, generated_at } = report
  const state =
    generated_at === null
      ? html`<p class="state open"><b>Provisional.</b> The manifest is still open; more may arrive.</p>`
      : html`<p class="state"><b>Final</b> since ${utcText(generated_at)} UTC</p>`
  const which = only
    ? `Lists only lines with the status ${[...only].join(' or ')}.`
    : 'Each line appears once: under what is missing, otherwise under its flags.'
  return page(
    {
      kind: 'Reconciliation report',
      heading: reference,
      state,
      body: html`${totals(report)}
${sections(report)}`,
      foot: html`<p>${which} Diff. is received minus expected.</p>`,
      source: html`Manifest ${reference}`,
    },
    options,
  )
}

function totals(report: ManifestReport): Html {
  const shares = Object.values(sharesOf(report))
  return html`<section class="totals">
<h2>Totals <span class="count">in units, ${countText(report.totals.expected)} expected</span></h2>
${totalsBar(shares)}
<dl>${shares.map(tile)}</dl>
</section>`
}

function tile({ name, label, units }: Share): Html {
  return html`<div class="tile ${name}${units === 0 ? ' none' : ''}"><dt>${label}</dt><dd>${countText(units)}</dd></div>`
}

function sections(report: ManifestReport & Partial<Flagged>): Html {
  const shares = sharesOf(report)
  const lines = groupLines(report)
  const isAllMatched = report.totals.matched === report.totals.expected && report.totals.unexpected === 0
  return html`${isAllMatched ? html`<p class="well">Everything arrived as expected.</p>` : nothing}
${section(shares.short, lines.short, 'line', lineTable)}
${section(shares.flagged, lines.flagged, 'line', lineTable)}
${section(shares.unexpected, report.unexpected, 'item', unexpectedTable)}
${section(shares.clean, lines.clean, 'line', lineTable)}`
}

function section<Row>(
  { name, label }: Share,
  rows: readonly Row[],
  noun: string,
  table: (rows: readonly Row[]) => Html,
): Html {
  if (rows.length === 0) return nothing
  return html`<section class="${name}">
<h2>${label} <span class="count">${counted(rows.length, noun)}</span></h2>
${table(rows)}
</section>`
}

/** For checking a delivery: each line is in exactly one group, in the manifest's order. `flagged`: as many as expected, at least one with a condition flag. */
function groupLines({ lines: all, flagged = [] }: ManifestReport & Partial<Flagged>) {
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

/** `name` is also the class in the style of page.ts. */
type Share = {
  name: 'matched' | 'flagged' | 'missing' | 'awaited' | 'unexpected'
  label: string
  units: number
}

function sharesOf({
  totals,
  generated_at,
}: ManifestReport): Record<'clean' | 'flagged' | 'short' | 'unexpected', Share> {
  return {
    clean: { name: 'matched', label: 'Arrived as expected', units: totals.matched },
    flagged: { name: 'flagged', label: 'Arrived with a flag', units: totals.condition_mismatch },
    short:
      generated_at === null
        ? { name: 'awaited', label: 'Not arrived yet', units: totals.missing }
        : { name: 'missing', label: 'Missing', units: totals.missing },
    unexpected: { name: 'unexpected', label: 'Not on the manifest', units: totals.unexpected },
  }
}

/** The tiles below it give the numbers. */
function totalsBar(shares: readonly Share[]): Html {
  const shown = shares.filter(({ units }) => units > 0)
  const words = shown.map(inWords).join(', ')
  return html`<div class="bar" role="img" aria-label="${words}">${shown.map(barPart)}</div>`
}

function barPart(share: Share): Html {
  return html`<span class="${share.name}" title="${inWords(share)}" style="flex-grow:${share.units}"></span>`
}

function inWords({ label, units }: Share): string {
  return `${countText(units)} ${label.toLowerCase()}`
}
