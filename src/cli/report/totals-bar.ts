import type { ReconciliationTotals } from '../../contract/resources/manifest.ts'
import { type Html, html, nothing } from './html.ts'
import { countText } from './texts.ts'

/** `name` is also the class in report-style.ts. */
export type Share = {
  name: 'matched' | 'flagged' | 'missing' | 'awaited' | 'unexpected'
  label: string
  units: number
}

export function sharesOf(totals: ReconciliationTotals, isFinal: boolean): Share[] {
  return [
    { name: 'matched', label: 'Arrived as expected', units: totals.matched },
    { name: 'flagged', label: 'Arrived with a flag', units: totals.condition_mismatch },
    isFinal
      ? { name: 'missing', label: 'Missing', units: totals.missing }
      : { name: 'awaited', label: 'Not arrived yet', units: totals.missing },
    { name: 'unexpected', label: 'Not on the manifest', units: totals.unexpected },
  ]
}

const width = 1000
const height = 44
const gap = 3
/** Minimum width of a part, so that even a small one is visible. */
const leastWidth = 8
/** A digit's width, and the space at both ends of a number. */
const digitWidth = 11
const labelMargin = 14

export function totalsBar(shares: readonly Share[]): Html {
  const shown = shares.filter(({ units }) => units > 0)
  const widths = widthsOf(shown.map(({ units }) => units))
  let x = 0
  const parts = shown.map((share, index) => {
    const part = barPart(share, x, widths[index] ?? 0)
    x += (widths[index] ?? 0) + gap
    return part
  })
  const words = shown.map(({ label, units }) => `${units} ${label.toLowerCase()}`).join(', ')
  return html`<svg class="bar" viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">
<defs><clipPath id="ends"><rect width="${width}" height="${height}" rx="7"/></clipPath></defs>
<g clip-path="url(#ends)">${parts}</g>
</svg>`
}

/** Widths and gaps fill the bar exactly; the space that small parts gain is taken from the others. */
function widthsOf(units: readonly number[]): number[] {
  const room = width - gap * (units.length - 1)
  const total = units.reduce((sum, each) => sum + each, 0)
  const wanted = units.map((each) => Math.max(leastWidth, (each / total) * room))
  const spare = wanted.map((each) => each - leastWidth)
  const over = wanted.reduce((sum, each) => sum + each, 0) - room
  const givers = spare.reduce((sum, each) => sum + each, 0)
  return wanted.map((each, index) => each - (givers > 0 ? (over * (spare[index] ?? 0)) / givers : 0))
}

function barPart({ name, label, units }: Share, x: number, partWidth: number): Html {
  const text = countText(units)
  const hasRoom = partWidth > text.length * digitWidth + labelMargin
  const number = html`<text x="${round(x + partWidth / 2)}" y="${height / 2 + 6}">${text}</text>`
  return html`<g class="${name}" data-units="${units}"><title>${text} ${label.toLowerCase()}</title>
<rect x="${round(x)}" width="${round(partWidth)}" height="${height}"/>${hasRoom ? number : nothing}</g>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
