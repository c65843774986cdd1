import { html, nothing } from '../report/html.ts'
import { type PageOptions, page } from '../report/page.ts'
import { code, type TableColumn, table, utcText } from '../report/report-tables.ts'
import type { HistoryLine, ItemHistory } from './item-history.ts'

const columns: ReadonlyArray<TableColumn<HistoryLine>> = [
  { title: 'Time (UTC)', share: 15, cell: ({ at }) => html`${utcText(at)}` },
  { title: 'What', share: 10, cell: ({ what }) => html`${what}` },
  { title: 'Reference', share: 15, cell: ({ reference }) => code(reference) },
  { title: 'Details', share: 30, cell: ({ details }) => html`${details}` },
  { title: 'Event', share: 30, cell: ({ event_id }) => code(event_id) },
]

/** For a buyer or an insurer: names no customer and no address. */
export function historyPage(item: ItemHistory, options: PageOptions): string {
  const { qid, qids, name, grader, grade, cert_number, sku, status, history } = item
  const slab =
    cert_number === null ? nothing : html`<p>${grader ?? ''} ${grade ?? ''} ${code(cert_number)}</p>`
  return page(
    {
      kind: 'Custody history',
      heading: name,
      state: html`<p class="state"><b>${status.replaceAll('_', ' ')}</b></p>`,
      body: html`<section>
${slab}
<p>${code(qids.join(', '))}</p>
<p class="sub">SKU ${code(sku)}</p>
</section>
<section>
<h2>History <span class="count">${history.length} events</span></h2>
${table(columns, history)}
</section>`,
      foot: html`<p>Each line is an event of the service's log, which is complete and in order. An arrow shows the new status.</p>`,
      source: html`Item <span class="code">${qid}</span>`,
    },
    options,
  )
}
