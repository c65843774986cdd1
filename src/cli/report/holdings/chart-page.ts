import { type Html, html, nothing } from '../html.ts'
import { type PageOptions, page } from '../page.ts'
import { countText, round, type TableColumn, table, utcText } from '../report-tables.ts'

type Bar = { label: string; units: number }

type ChartPage<Row> = {
  kind: string
  heading: string
  at: string
  tiles: ReadonlyArray<{ label: string; text: string }>
  bars: readonly Bar[]
  columns: ReadonlyArray<TableColumn<Row>>
  rows: readonly Row[]
  foot: string
}

export function chartPage<Row>(report: ChartPage<Row>, options: PageOptions): string {
  const { kind, heading, at, tiles, bars, columns, rows, foot } = report
  return page(
    {
      kind,
      heading,
      state: html`<p class="state">At ${utcText(at)} UTC</p>`,
      body: html`<section class="totals">
<dl>${tiles.map(({ label, text }) => html`<div class="tile matched"><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>
</section>
<section>${chart(bars)}</section>
<section>${table(columns, rows)}</section>`,
      foot: html`<p>${foot}</p>`,
      source: html`From the items and events of the service`,
    },
    options,
  )
}

const [width, height, head, foot] = [1000, 240, 28, 30]

function chart(bars: readonly Bar[]): Html {
  if (bars.length === 0) return nothing
  const most = Math.max(1, ...bars.map(({ units }) => units))
  const step = width / bars.length
  const every = Math.ceil((Math.max(...bars.map(({ label }) => label.length)) * 8 + 8) / step)
  const parts = bars.map(({ label, units }, index) => {
    const tall = (units / most) * (height - head - foot)
    const [x, y] = [index * step + step * 0.1, height - foot - tall]
    const middle = round(index * step + step / 2)
    const words =
      index % every === 0
        ? html`<text x="${middle}" y="${round(y - 6)}">${countText(units)}</text><text x="${middle}" y="${height - 8}">${label}</text>`
        : nothing
    return html`<g data-units="${units}"><title>${label}: ${countText(units)}</title><rect x="${round(x)}" y="${round(y)}" width="${round(step * 0.8)}" height="${round(tall)}"/>${words}</g>`
  })
  const words = bars.map(({ label, units }) => `${label}: ${units}`).join(', ')
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">${parts}</svg>`
}
