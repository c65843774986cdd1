import type { WebhookEventType } from '../../src/contract/enums.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import type { Harness } from './harness.ts'
import { withWork } from './with-work.ts'

/** Commits `count` events of a type as a write of the service does, and wakes who waits. Answers their payloads. */
export async function emitEvents(
  harness: Harness,
  count = 1,
  type: WebhookEventType = 'transfer.requested',
  scope: Scope = harness.scope,
): Promise<WebhookEvent[]> {
  const data = { id: '019de2c4-2a80-7000-8000-000000000001', note: 'Pok\u00e9mon \u2728 "quoted"' }
  await withWork(
    harness,
    async (work) => {
      for (let n = 0; n < count; n++) work.emit(type, JSON.stringify({ ...data, n }))
    },
    scope,
  )
  harness.service.signal.notify(scope.id)
  return (await harness.events()).slice(-count)
}
