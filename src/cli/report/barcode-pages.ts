import { code128, drawingSVG, qrcode } from 'bwip-js/generic'
import type { Environment } from '../../contract/enums.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import { linkedCertificate } from '../../domain/graders/certificate.ts'
import { counted } from '../base/counted.ts'
import type { Holder } from '../connection/target-type.ts'
import { type Html, html, nothing, pageStart, sandboxMark } from './html.ts'
import { utcText } from './report-tables.ts'
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

type PickHolder = { partner: string; environment: Environment }
type PickedOrder = { order: Fulfillment; items: readonly Item[] }

export function pickPage(
  orders: readonly PickedOrder[],
  { partner, environment }: PickHolder,
  at: string,
): string {
  const sections = orders.length === 0 ? html`<p>No order waits to be picked.</p>` : orders.map(orderOf)
  return html`${pageStart}
<title>${`${partner} – to pick`}</title>
<style>${{ markup: pickStyle }}</style>
</head>
<body>
<header><h1>To pick for ${partner}</h1><p>${utcText(at)} UTC</p></header>
${sandboxMark(environment)}
${sections}</body>
</html>
`.markup
}

function orderOf({ order, items }: PickedOrder): Html {
  const { external_ref, shipping_address, deliver_by, special_instructions } = order
  return html`<section>
<h2>${external_ref ?? `Order for ${shipping_address?.recipient_name ?? 'a recipient'}`}</h2>
<p>${deliver_by === null || deliver_by === undefined ? 'No deliver-by' : `Deliver by ${deliver_by}`}${special_instructions ? ` – ${special_instructions}` : ''}</p>
${items.map(itemOf)}</section>
`
}

function itemOf({ qid, name, grader, grade, cert_number, sku }: Item): Html {
  const number = cert_number && (linkedCertificate(cert_number)?.number ?? cert_number)
  const slab = number === null ? nothing : html`<p>${`${grader} ${grade}`}</p>${code(number)}`
  return html`<div class="item"><div class="name"><b>${name}</b><p>${sku}</p></div><div>${code(qid)}</div><div>${slab}</div></div>
`
}

function code(text: string): Html {
  return html`${fitsBars(text) ? barsOf(text) : nothing}<p class="code">${text}</p>`
}

const pickStyle = `
@page{margin:10mm}
*{box-sizing:border-box}
body{margin:0;color:#000;background:#fff;font:11pt/1.3 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;overflow-wrap:anywhere}
header{display:flex;justify-content:space-between;align-items:baseline}
.sandbox{border:2pt solid #000;text-align:center;font-weight:bold}
h1{font-size:16pt}h2{font-size:14pt;margin:0}p{margin:0}
section{border-top:2px solid #000;padding:3mm 0;break-inside:avoid}
.item{display:grid;grid-template-columns:1fr 60mm 60mm;gap:4mm;padding:2mm 0;border-top:1px solid #999;break-inside:avoid}
.item svg{display:block;width:100%;height:11mm}
.code{margin-top:.5mm;font:9pt/1.2 ui-monospace,Menlo,Consolas,monospace;text-align:center}
`

function barsOf(text: string): Html {
  const options = { bcid: 'code128', text, height: 14, paddingwidth: 10 } as const
  return { markup: crisp(code128(options, drawingSVG())) }
}

function qrCodeOf(text: string): Html {
  const options = {
    bcid: 'qrcode',
    // bwip-js reads each character as a byte.
    text: Buffer.from(text).toString('latin1'),
    binarytext: true,
    eclevel: 'M',
    padding: 4,
  } as const
  return { markup: crisp(qrcode(options, drawingSVG())) }
}

/** Code 128 encodes only ASCII, and longer texts would make the bars too thin to scan. */
function fitsBars(text: string): boolean {
  return /^[\x20-\x7e]{1,24}$/.test(text)
}

function crisp(svg: string): string {
  return svg.replace('<svg ', '<svg shape-rendering="crispEdges" ')
}
