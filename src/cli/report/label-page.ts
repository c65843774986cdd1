import { counted } from '../base/counted.ts'
import { barsOf, fitsBars, squareOf } from './barcodes.ts'
import { type Html, html, nothing, pageStart } from './html.ts'
import type { Sheet } from './sheets.ts'

/** The label of a purchase's boxes. `units`: undefined if the service does not show a manifest's lines. */
type BoxLabel = {
  manifest_id: string
  reference: string
  partner: string | undefined
  lines: number
  units: number | undefined
}

/** One self-contained page with a label for each parcel, to be printed. */
export function labelPage(label: BoxLabel, parcels: number, sheet: Sheet): string {
  const labels = Array.from({ length: parcels }, (_, index) => labelOf(label, index + 1, parcels))
  const page = html`${pageStart}
<title>${[label.reference, label.partner, 'box labels'].filter(Boolean).join(' – ')}</title>
<style>${style(sheet)}</style>
</head>
<body>
${labels}</body>
</html>
`
  return page.markup
}

function labelOf(label: BoxLabel, parcel: number, parcels: number): Html {
  const { manifest_id, reference, partner, lines, units } = label
  const content = [counted(lines, 'line'), ...(units === undefined ? [] : [counted(units, 'unit')])].join(
    ', ',
  )
  return html`<section>
<div class="words">
<p class="partner">${partner ?? ''}</p>
<h1>${reference}</h1>
<p>${content}</p>
<p class="parcel">Parcel <b>${parcel}</b> of <b>${parcels}</b></p>
<div class="square">${squareOf(`${manifest_id} ${reference}`)}</div>
${fitsBars(reference) ? html`<div class="bars">${barsOf(reference, false)}</div>` : nothing}
<p class="id">${manifest_id}</p>
</div>
<div class="upright">${barsOf(manifest_id, true)}</div>
</section>
`
}

function style(sheet: Sheet): Html {
  const paper = sheet === 'a4' ? 'A4' : '4in 6in'
  const [width, height] = sheet === 'a4' ? ['105mm', '148.5mm'] : ['4in', '6in']
  return {
    markup: `
@page{size:${paper};margin:0}
*{box-sizing:border-box}
body{margin:0;color:#000;background:#fff;font:14pt/1.3 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;display:flex;flex-wrap:wrap}
section{width:${width};height:${height};padding:.2in;display:flex;gap:.1in;overflow:hidden;break-inside:avoid}
.words{flex:1;min-width:0;display:flex;flex-direction:column;gap:.06in}
p,h1{margin:0;overflow-wrap:anywhere}
.partner{font-size:13pt}
h1{font-size:24pt;line-height:1.1;max-height:1.1in;overflow:hidden}
.parcel{font-size:18pt}
.square svg{display:block;width:1.7in;height:1.7in}
.bars svg{display:block;width:100%;height:.6in}
.id{font:8pt/1.2 ui-monospace,Menlo,Consolas,monospace}
.upright{flex:none;width:.8in}
.upright svg{display:block;width:100%;height:100%}
@media screen{section{border:1px dashed #999}}
`,
  }
}
