import type { WebhookEvent } from '../../contract/resources/event.ts'
import { addEvent, addLink, differencesOf, emptyLog, type Statement } from '../../domain/items/log-state.ts'
import { timeAt } from '../../domain/utc-time.ts'
import { type Database, inScope, sql } from '../database.ts'
import { listScopes, readScopeClock } from '../tables/scopes.ts'
import { findEventSeq } from '../tables/webhooks/events.ts'
import type { ScopeFinding } from './check.ts'

const eventsAtOnce = 1000

export async function checkStatement(
  db: Database,
  statement: Statement,
  now: number,
  onRows: (rows: number) => Promise<void>,
): Promise<ScopeFinding[]> {
  const { last_id } = statement.events
  const finding = (key: string, problem: string): ScopeFinding => {
    return { partner: '', environment: '', table: 'statement', key, problem }
  }
  return db.read(
    async (whole) => {
      const state = emptyLog()
      let owner: { partner: string; environment: string } | undefined
      let latest: string | undefined
      for (const { id, partner_name: partner, environment } of await listScopes(whole)) {
        const tx = inScope(whole, id)
        const end = last_id === null ? undefined : await findEventSeq(tx, last_id)
        if (end === undefined) continue
        owner = { partner, environment }
        const { last_at, clock_offset_ms } = await readScopeClock(tx)
        const time = timeAt(now + clock_offset_ms)
        latest = time > last_at ? time : last_at
        // One event more, to know when the log continues.
        for (let seq = 0; seq <= end; seq += eventsAtOnce) {
          const some = sql`
            select payload from events where scope_id = ${tx.scope} and seq > ${seq}
              and seq <= ${Math.min(end + 1, seq + eventsAtOnce)} order by seq`
          const payloads = await tx.values<string>(some)
          for (const payload of payloads) {
            if (!addEvent(state, JSON.parse(payload) as WebhookEvent, last_id)) break
            addLink(state, payload)
          }
          await onRows(payloads.length)
        }
      }
      if (last_id !== null && owner === undefined)
        return [finding(last_id, 'no log of this database has its last event')]
      return differencesOf(statement, state, { now: latest, ...owner }).map(
        ({ fact, statement: stated, log }) => ({
          ...finding(fact, `the statement says ${stated ?? 'nothing'}, the log says ${log ?? 'nothing'}`),
          ...owner,
        }),
      )
    },
    { long: true },
  )
}
