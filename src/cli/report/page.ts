import type { Session } from '../command.ts'
import type { Holder } from '../connection/target-type.ts'
import { type Html, html, nothing, pageStart, sandboxMark } from './html.ts'
import { reportStyle } from './report-style.ts'
import { utcText } from './texts.ts'

export type PageOptions = Holder & {
  /** Milliseconds since the epoch. */
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
