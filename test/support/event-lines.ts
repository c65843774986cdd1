import type { WebhookEvent } from '../../src/contract/resources/event.ts'

/** Events as one line each, in order: type, resource, and status. */
export function eventLines(events: readonly WebhookEvent[]): string[] {
  return events.map(eventLine)
}

function eventLine({ type, data }: WebhookEvent): string {
  if ('manifest_id' in data && 'totals' in data) return `${type} ${data.manifest_id}`
  if ('item' in data) return `${type} ${data.qid} ${data.item.status}`
  return `${type} ${'qid' in data ? data.qid : data.id} ${data.status}`
}
