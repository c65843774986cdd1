import type { Session } from '../command.ts'
import type { Holder } from '../connection/target-type.ts'
import { type Html, html, nothing, pageStart, sandboxMark } from './html.ts'
import { utcText } from './report-tables.ts'

export type PageOptions = Holder & {
  madeAt: number
  version: string
}

/** `kind`: as in `Reconciliation report`. `source`: names the data, in the last line. */
type PageParts = { kind: string; heading: string; state: Html; body: Html; foot: Html; source: Html }

/** Self-contained, so that people without custody can open, mail and print the page. */
export function page(parts: PageParts, { madeAt, environment, partner, version }: PageOptions): string {
  const { kind, heading, state, body, foot, source } = parts
  const title = [heading, partner, kind.toLowerCase()].filter(Boolean).join(' – ')
  return html`${pageStart}
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>${title}</title>
<style>${reportStyle}</style>
</head>
<body>
<main>
<header>
<div><p class="kind">${kind}${partner === undefined ? nothing : html` &#183; ${partner}`}</p>
<h1>${heading}</h1></div>
<div class="states">${state}${sandboxMark(environment)}</div>
</header>
${body}
<footer>
${foot}
<p>${source} &#183; made ${utcText(new Date(madeAt).toISOString())} UTC by custody ${version}</p>
</footer>
</main>
</body>
</html>
`.markup
}

export async function pageOptions(session: Session): Promise<PageOptions> {
  const { holder } = await session.target()
  return { madeAt: session.io.now(), ...(await holder()), version: CUSTODY_VERSION }
}

/** Only fonts that every system has, colours with a contrast of at least 4.5 to 1, and rules for printing. */
const reportStyle: Html = {
  markup: `
:root{--ink:#1b2430;--soft:#56616f;--rule:#dde2e8;--matched:#1d7a4c;--flagged:#a65b00;--missing:#b3261e;--awaited:#4c5b6e;--unexpected:#5a4fa3}
*{box-sizing:border-box}
body{margin:0;background:#f3f5f7;color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1160px;margin:32px auto;padding:40px 48px 28px;background:#fff;border:1px solid var(--rule);border-radius:10px}
p{margin:0}
header{display:flex;justify-content:space-between;align-items:flex-end;gap:32px;padding-bottom:20px;border-bottom:2px solid var(--ink)}
.kind{color:var(--soft);font-size:14px}
h1{margin:2px 0 0;font-size:30px;line-height:1.2;font-weight:650;overflow-wrap:anywhere}
.states{flex:none;max-width:50%;text-align:right;font-size:14px}
.state.open{color:var(--flagged)}
.sandbox{color:var(--soft)}
section{margin-top:32px}
h2{margin:0 0 12px;font-size:18px;line-height:1.3;font-weight:650}
.missing>h2{color:var(--missing)}.awaited>h2{color:var(--awaited)}.flagged>h2{color:var(--flagged)}.unexpected>h2{color:var(--unexpected)}.matched>h2{color:var(--matched)}
.count{margin-left:6px;color:var(--soft);font-size:14px;font-weight:400}
.bar{display:flex;gap:3px;height:40px;border-radius:7px;overflow:hidden}
.bar span{flex:0 1 0;min-width:8px}
.bar .matched{background:var(--matched)}.bar .flagged{background:var(--flagged)}.bar .missing{background:var(--missing)}.bar .awaited{background:var(--awaited)}.bar .unexpected{background:var(--unexpected)}
.chart{display:block;width:100%;height:auto}.chart rect{fill:var(--matched)}.chart text{fill:var(--ink);font-size:14px;text-anchor:middle}
dl{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;margin:16px 0 0}
.tile{padding-left:12px;border-left:4px solid}
.tile.matched{border-color:var(--matched)}.tile.flagged{border-color:var(--flagged)}.tile.missing{border-color:var(--missing)}.tile.awaited{border-color:var(--awaited)}.tile.unexpected{border-color:var(--unexpected)}
.tile.none{border-color:var(--rule);color:var(--soft)}
dt{font-size:14px;color:var(--soft)}
dd{margin:0;font-size:26px;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums}
.well{margin-top:32px;padding:14px 18px;border-radius:8px;background:#e9f5ee;color:#14573a;font-weight:600}
table{width:100%;border-collapse:collapse;table-layout:fixed;font-size:14px}
th,td{padding:8px 10px 8px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th:last-child,td:last-child{padding-right:0}
th{padding-bottom:6px;border-bottom:1px solid var(--soft);color:var(--soft);font-size:13px;font-weight:600;overflow-wrap:normal}
td{border-bottom:1px solid var(--rule)}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td.number+td.text,th.number+th.text{padding-left:12px}
.code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.sub{color:var(--soft);font-size:13px}
.qid{display:inline-block;margin-right:6px;white-space:nowrap}
.even{color:var(--soft)}
.uneven{color:var(--missing)}
.flag{display:inline-block;overflow-wrap:break-word;max-width:100%;margin:0 2px 3px 0;padding:0 7px;border-radius:4px;background:#fbefdc;color:#7a4300;font-size:13px}
footer{margin-top:36px;padding-top:14px;border-top:1px solid var(--rule);color:var(--soft);font-size:13px}
@media (max-width:1180px){main{margin:0 auto;padding:28px 24px;border:0;border-radius:0}table,.sub,.flag{font-size:12.5px}.code{font-size:12px}section{overflow-x:auto}table{min-width:920px}}
@media (max-width:700px){main{padding:20px 16px}header{display:block}.states{max-width:none;margin-top:10px;text-align:left}dl{grid-template-columns:repeat(2,1fr)}}
@media screen and (max-width:700px){
table{display:block;min-width:0;font-size:14px}section{overflow:visible}colgroup,thead{display:none}tbody{display:block}
tr{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:4px 12px;padding:10px 0;border-bottom:1px solid var(--rule)}
td,td.number+td.text{display:block;padding:0;border:0}
td.text{grid-column:1/-1}td:empty{display:none}
td.number{text-align:left}
td::before{content:attr(data-label);display:block;color:var(--soft);font-size:12px}
}
@page{margin:14mm 12mm}
@media print{
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{background:#fff;font-size:11px}
main{max-width:none;margin:0;padding:0;border:0}
h1{font-size:22px}h2{font-size:14px;break-after:avoid}dd{font-size:19px}
table{min-width:0}section{overflow:visible}
table,.kind,.states,.count,dt{font-size:10px}th,.sub,.flag,.code,footer{font-size:9px}
th,td{padding:5px 6px 5px 0}
thead{display:table-header-group}
tr,.totals{break-inside:avoid}
section{margin-top:20px}
}
`,
}
