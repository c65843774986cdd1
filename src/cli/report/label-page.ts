import { counted } from '../base/counted.ts'
import type { Holder } from '../connection/target-type.ts'
import { barsOf, fitsBars, qrCodeOf } from './barcodes.ts'
import { type Html, html, nothing, pageStart, sandboxMark } from './html.ts'
import type { Sheet } from './sheets.ts'

/** `units`: undefined if the service does not show a manifest's lines. */
type BoxLabel = Holder & {
  manifest_id: string
  reference: string
  isClosed: boolean
  lines: number
  units: number | undefined
}

export function labelPage(manifests: readonly BoxLabel[], parcels: number, sheet: Sheet): string {
  const labels = manifests.flatMap((label) =>
    Array.from({ length: parcels }, (_, index) => labelOf(label, index + 1, parcels)),
  )
  const references = manifests.map(({ reference }) => reference).join(', ')
  const page = html`${pageStart}
<title>${[references, manifests[0]?.partner, 'box labels'].filter(Boolean).join(' – ')}</title>
<style>${style(sheet)}</style>
</head>
<body>
${labels}</body>
</html>
`
  return page.markup
}

function labelOf(label: BoxLabel, parcel: number, parcels: number): Html {
  const { manifest_id, reference, partner, environment, isClosed, lines, units } = label
  const content = [counted(lines, 'line'), ...(units === undefined ? [] : [counted(units, 'unit')])].join(
    ', ',
  )
  // Code 128 is for scanners that cannot read QR codes. If it cannot encode the reference, it encodes the manifest's id.
  const code = fitsBars(reference) ? reference : manifest_id
  return html`<section>
${sandboxMark(environment)}${isClosed ? html`<p class="closed">Closed: nothing more is expected</p>` : nothing}
<p class="partner">${partner ?? ''}</p>
<h1>${reference}</h1>
<p>${content}</p>
<div class="middle"><div class="square">${qrCodeOf(`${manifest_id} ${reference}`)}</div>
<p class="parcel">Parcel<br/><b>${parcel}</b><br/>of <b>${parcels}</b></p></div>
<div class="bars">${barsOf(code)}<p>${code}</p></div>
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
body{margin:0;color:#000;background:#fff;font:15pt/1.3 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;display:flex;flex-wrap:wrap}
section{width:${width};height:${height};padding:.2in;display:flex;flex-direction:column;justify-content:space-between;overflow:hidden;break-inside:avoid}
p,h1{margin:0;overflow-wrap:anywhere}
.sandbox,.closed{border:2pt solid #000;text-align:center;font-size:11pt;font-weight:bold}
h1{font-size:30pt;line-height:1.1;max-height:1.4in;overflow:hidden}
.middle{display:flex;align-items:center;gap:.2in}
.square svg{display:block;width:2.3in;height:2.3in;margin:-.1in}
.parcel{flex:1;text-align:center;font-size:18pt}
.parcel b{font-size:30pt}
.bars svg{display:block;width:100%;height:.8in}
.bars p{text-align:center;font:11pt/1.2 ui-monospace,Menlo,Consolas,monospace}
@media screen{section{border:1px dashed #999}}
`,
  }
}
