import type { Environment } from '../../contract/enums.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import { barsOf, fitsBars } from './barcodes.ts'
import { type Html, html, nothing, pageStart, sandboxMark } from './html.ts'
import { utcText } from './report-tables.ts'

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
<style>${{ markup: style }}</style>
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
  const slab = cert_number === null ? nothing : html`<p>${`${grader} ${grade}`}</p>${code(cert_number)}`
  return html`<div class="item"><div class="name"><b>${name}</b><p>${sku}</p></div><div>${code(qid)}</div><div>${slab}</div></div>
`
}

function code(text: string): Html {
  return html`${fitsBars(text) ? barsOf(text) : nothing}<p class="code">${text}</p>`
}

const style = `
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
