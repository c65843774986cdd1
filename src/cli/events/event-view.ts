import type { Client } from '../../client/client.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { ReconciliationTotals } from '../../contract/resources/manifest.ts'
import { counted } from '../base/counted.ts'
import { resourceFields } from '../base/schema-fields.ts'
import { createReferences } from '../find/by-key.ts'
import { columnsOf, type View } from '../output/columns.ts'

export const eventList: View = {
  columns: columnsOf<NamedEvent>(
    { name: 'created_at', title: 'time' },
    { name: 'type', kind: 'id' },
    { name: 'subject', kind: 'id', of: subjectOf },
    { name: 'change', kind: 'long', of: changeOf },
    'id',
  ),
  fields: () => resourceFields('listEvents'),
}

export const eventRecord: View = {
  columns: columnsOf<NamedEvent>(
    'id',
    'type',
    { name: 'created_at', title: 'time' },
    { name: 'subject', of: subjectOf },
    { name: 'change', of: changeOf },
    'data',
  ),
}

type Data = {
  id?: string
  qid?: string
  manifest_id?: string
  status?: string
  external_ref?: string | null
  name?: string
  condition_flags?: string[]
  item?: { name: string }
  processing_stage?: string | null
  issue?: { code: string; message: string } | null
  qids?: string[]
  totals?: ReconciliationTotals
}

type NamedEvent = WebhookEvent & { reference?: string }

/** Adds the references of manifests for people, because events name manifests by id. */
export function eventNaming(client: Client): (events: readonly WebhookEvent[]) => Promise<NamedEvent[]> {
  const references = createReferences(client)
  return async (events) => {
    const reconciled = ({ type }: WebhookEvent): boolean => type === 'manifest.reconciliation.completed'
    const ids = (event: WebhookEvent): string | undefined => (event.data as Data).manifest_id
    const referenceOf = await references(events.filter(reconciled).map(ids))
    return events.map((event) =>
      reconciled(event) ? { ...event, reference: referenceOf(ids(event)) ?? '' } : event,
    )
  }
}

export function subjectOf({ data, reference }: NamedEvent): string {
  const { qid, external_ref, id, manifest_id } = data as Data
  return reference ?? qid ?? external_ref ?? id ?? manifest_id ?? ''
}

/** For a type that this version does not know, returns the status in the event's data, if any. */
export function changeOf({ type, data }: WebhookEvent): string {
  const { status, name, item, condition_flags = [], totals, issue, qids = [] } = data as Data
  if (type === 'item.intake.completed') {
    return [
      'received',
      ...(condition_flags.length > 0 ? [`(${condition_flags.join(', ')})`] : []),
      item?.name,
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (totals !== undefined) {
    const { expected, matched, missing, condition_mismatch, unexpected } = totals
    const others = { missing, flagged: condition_mismatch, unexpected }
    const told = Object.entries(others).filter(([, units]) => units > 0)
    return [`${matched} of ${expected} matched`, ...told.map(([name, units]) => `${units} ${name}`)].join(
      ', ',
    )
  }
  if (type === 'fulfillment.issue.raised' && issue) return `${issue.code}: ${issue.message}`
  const what = name ?? counted(qids.length, 'item')
  return `→ ${status ?? '?'}  ${what}`
}
