import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../../contract/resources/item.ts'
import { changeOf } from '../events/event-view.ts'
import type { LineNames } from './line-names.ts'

/** `reference`: the event's manifest, order or transfer. */
export type HistoryLine = {
  at: string
  qid: string
  what: string
  status: string | null
  reference: string | null
  details: string
  event_type: string
  event_id: string
}

type Words = Pick<HistoryLine, 'what' | 'status' | 'reference' | 'details'>

export function isAbout(event: WebhookEvent, qids: ReadonlySet<string>): boolean {
  return qidsOf(event).some((qid) => qids.has(qid))
}

export function historyLine(event: WebhookEvent, qids: ReadonlySet<string>, nameOf: LineNames): HistoryLine {
  const { created_at, type, id } = event
  const qid = qidsOf(event).find((each) => qids.has(each)) ?? ''
  const words = wordsOf(event, nameOf)
  // If a slab has had several QIDs, each arrival says which it got.
  if (words.what === 'arrival' && qids.size > 1) words.details = `as ${qid}; ${words.details}`
  return { at: created_at, qid, ...words, event_type: type, event_id: id }
}

function qidsOf({ data }: WebhookEvent): readonly string[] {
  const { qid, qids = [] } = data as { qid?: string; qids?: string[] }
  return qid === undefined ? qids : [qid]
}

function wordsOf(event: WebhookEvent, nameOf: LineNames): Words {
  const { type, data } = event
  if (type === 'item.intake.completed') return arrival(data as IntakeEvent, nameOf)
  if (type === 'item.status.changed') {
    const { status } = data as Item
    return { what: 'status', status, reference: null, details: `→ ${status}` }
  }
  if (type.startsWith('fulfillment.')) return order(event, data as Fulfillment)
  if (type.startsWith('transfer.')) {
    const { id, status, external_ref, qids } = data as Transfer
    return { what: 'transfer', status, reference: external_ref ?? id, details: shared(`→ ${status}`, qids) }
  }
  return { what: type, status: null, reference: null, details: changeOf(event) }
}

function arrival({ manifest_id, manifest_line_id, condition_flags, item }: IntakeEvent, nameOf: LineNames) {
  const { reference, line } = nameOf(manifest_id, manifest_line_id)
  const onLine = manifest_line_id === null ? 'on no manifest line' : `line ${line}`
  const flags = condition_flags.length > 0 ? `flags: ${condition_flags.join(', ')}` : 'no flags'
  return { what: 'arrival', status: item.status, reference, details: `${onLine}; ${flags}` }
}

function order({ type }: WebhookEvent, fulfillment: Fulfillment): Words {
  const { id, external_ref, status, carrier, tracking_number, issue, qids } = fulfillment
  const reference = external_ref ?? id
  if (type === 'fulfillment.issue.raised' && issue)
    return { what: 'issue', status, reference, details: `${issue.code}: ${issue.message}` }
  const parcel = status === 'shipped' && carrier ? ` by ${carrier} ${tracking_number ?? ''}` : ''
  const what =
    type === 'fulfillment.returned' ? 'return' : fulfillment.type === 'withdrawal' ? 'withdrawal' : 'order'
  return { what, status, reference, details: shared(`→ ${status}${parcel}`, qids) }
}

function shared(text: string, { length }: readonly string[]): string {
  return length > 1 ? `${text}, one of ${length} items` : text
}
