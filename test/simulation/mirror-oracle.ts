import { hash } from 'node:crypto'
import { folderOf, type Place, textIn } from './desks.ts'
import { copiesOf, type ErrandCourse, nameOf } from './errands.ts'
import { rowsIn } from './machine.ts'
import type { History } from './run.ts'

type Row = Readonly<Record<string, unknown>>
type Log = History['log']
/** What `custody sync` keeps, by table. */
export type Copy = Readonly<Record<(typeof tables)[number], readonly Row[]>>

const tables = [
  ...(['custody_mirror', 'events', 'items', 'intakes', 'fulfillments', 'fulfillment_items'] as const),
  ...(['transfers', 'transfer_items', 'reconciliations'] as const),
] as const

/** The copy that an errand has made; undefined if it made none. */
export function copyOf({ errand }: ErrandCourse): Copy | undefined {
  const place: Place = { partner: errand.partner, desk: 'own' }
  const file = `${folderOf(place)}/${copiesOf(errand)}`
  const read = (table: string): Row[] | undefined => rowsIn(file, `select * from ${table} order by 1, 2`)
  if (read('custody_mirror') === undefined) return undefined
  return Object.fromEntries(tables.map((table) => [table, read(table)!])) as unknown as Copy
}

/** A copy is the log, event by event, and each object as of its last event, row by row. */
export function isCopied(copy: Copy, log: Log, wrong: (what: string) => void): void {
  const { length } = copy.events
  const events = log.slice(0, length)
  for (const [at, { event, text }] of events.entries()) {
    const row = { seq: at + 1, id: event.id, type: event.type, created_at: event.created_at, event: text }
    if (JSON.stringify(copy.events[at]) !== JSON.stringify(row)) {
      wrong(`keeps ${JSON.stringify(copy.events[at])} as event ${at + 1}, which is ${text}`)
      return
    }
  }
  if (log.slice(length).some(({ trace }) => trace !== null)) wrong(`keeps ${length} of ${log.length} events`)
  const [position] = copy.custody_mirror
  if (position?.events !== length || position.after !== (events.at(-1)?.event.id ?? null))
    wrong(`keeps ${length} events, and says ${JSON.stringify(position)}`)
  const docs = { items: new Map<string, Row>(), fulfillments: new Map(), transfers: new Map() }
  for (const { event } of events) {
    const data = event.data as unknown as Row
    if (event.type === 'item.intake.completed') docs.items.set(`${(data.item as Row).qid}`, data.item as Row)
    if (event.type === 'item.status.changed') docs.items.set(`${data.qid}`, data)
    if (event.type.startsWith('fulfillment.')) docs.fulfillments.set(data.id, data)
    if (event.type.startsWith('transfer.')) docs.transfers.set(data.id, data)
  }
  areDocs('items', copy.items, docs.items, 'qid', wrong)
  areDocs('fulfillments', copy.fulfillments, docs.fulfillments, 'id', wrong)
  areDocs('transfers', copy.transfers, docs.transfers, 'id', wrong)
  arePairs('fulfillment_items', copy.fulfillment_items, docs.fulfillments, wrong)
  arePairs('transfer_items', copy.transfer_items, docs.transfers, wrong)
  for (const [table, type] of [
    ['intakes', 'item.intake.completed'],
    ['reconciliations', 'manifest.reconciliation.completed'],
  ] as const) {
    const ids = events.filter(({ event }) => event.type === type).map(({ event }) => event.id)
    const kept = copy[table].map(({ event_id }) => event_id)
    if (`${kept.sort()}` !== `${ids.sort()}`) wrong(`keeps ${kept.length} ${table}, not ${ids.length}`)
  }
}

function areDocs(
  table: string,
  rows: readonly Row[],
  docs: ReadonlyMap<string, Row>,
  key: string,
  wrong: (what: string) => void,
): void {
  if (rows.length !== docs.size) wrong(`keeps ${rows.length} ${table}, not ${docs.size}`)
  for (const row of rows) {
    const doc = docs.get(`${row[key]}`) ?? {}
    const fields: Row = { ...(doc.shipping_address as Row), ...doc }
    const issue = (doc.issue ?? {}) as Row
    for (const [column, value] of Object.entries(row)) {
      const field = column.startsWith('issue_') ? issue[column.slice('issue_'.length)] : fields[column]
      const cell = typeof field === 'object' && field !== null ? JSON.stringify(field) : (field ?? null)
      if (value !== cell) wrong(`keeps ${value} as ${column} of ${row[key]}, which is ${cell}`)
    }
  }
}

function arePairs(
  table: string,
  rows: readonly Row[],
  docs: ReadonlyMap<string, Row>,
  wrong: (what: string) => void,
): void {
  const pairs = [...docs].flatMap(([id, { qids }]) => (qids as string[]).map((qid) => `${id} ${qid}`))
  const kept = rows.map((row) => Object.values(row).join(' '))
  if (`${kept.sort()}` !== `${pairs.sort()}`) wrong(`keeps ${kept.length} ${table}, not ${pairs.length}`)
}

const gone = new Set(['delivered', 'released', 'withdrawn'])

/** A statement reported as written has the chain of the log so far, and what was held then. */
export function isStated(out: string, log: Log, wrong: (what: string) => void): void {
  const [, total = '', count = '', chain = ''] =
    /: ([\d,]+) items? at \S+, ([\d,]+) events?, chain (\w+)\n$/.exec(out) ?? []
  const events = log.slice(0, Number(count.replaceAll(',', '')))
  let right = '0'.repeat(64)
  const status = new Map<string, string>()
  for (const { event, text } of events) {
    right = hash('sha256', `${right}\n${text}\n`)
    const data = event.data as unknown as Row
    const item = event.type === 'item.intake.completed' ? (data.item as Row) : data
    if (event.type.startsWith('item.')) status.set(`${item.qid}`, `${item.status}`)
  }
  const held = [...status.values()].filter((one) => !gone.has(one)).length
  if (chain !== right) wrong(`states the chain ${chain} of ${count} events, which is ${right}: ${out}`)
  if (Number(total.replaceAll(',', '')) !== held) wrong(`states ${total} items, and ${held} were held`)
}

/** The final statement on the disk is one that was reported. */
export function isKept({ errand, attempts }: ErrandCourse, wrong: (what: string) => void): void {
  const text = textIn({ partner: errand.partner, desk: 'own' }, `${nameOf(errand)}.json`)
  const told = attempts.filter(({ args, code }) => args.includes('--out') && code === 0)
  if (told.length === 0) return
  const { events } = JSON.parse(text === '' ? '{"events":{}}' : text) as { events: { chain?: string } }
  const killed = attempts.some(({ args, code }) => args.includes('--out') && code === undefined)
  if (!killed && !told.at(-1)?.out.includes(`${events.chain}`))
    wrong(`lost the statement: ${text.slice(0, 200)}`)
}
