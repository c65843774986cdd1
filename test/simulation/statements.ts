import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isSameCertificate } from '../../src/domain/graders/certificate.ts'
import { isHeld } from '../../src/domain/items/item-states.ts'
import {
  addEvent,
  addLink,
  differencesOf,
  emptyLog,
  type LogState,
  statementOf,
} from '../../src/domain/items/log-state.ts'
import { openMirror } from '../../src/store/mirror.ts'
import type { Logged } from './final.ts'
import type { Model } from './model.ts'
import type { History } from './run.ts'

/** What a partner can prove at the end, what its mirror contains, and whose certificate each line has. */
export function stated({ final, log }: History, model: Model): void {
  const wrong = (what: string): void => void model.faults.push(`in the end ${what}`)
  const statement = statementOf(log.at(-1)?.event.created_at ?? '', stateOf(log))
  for (const [status, count] of Object.entries(final.summary.by_status))
    if (isHeld(status as never) && (statement.by_status[status] ?? 0) !== count)
      wrong(`the statement has ${statement.by_status[status]} items ${status}, not ${count}`)
  for (const [how, other] of otherLogs(log))
    if (differencesOf(statement, stateOf(other)).length === 0)
      wrong(`a statement agrees with a log of which one event is ${how}`)
  mirrored({ final, log }, wrong)
  const items = new Map(final.items.map((item) => [item.qid, item]))
  for (const { lines } of final.reports)
    for (const { id, grader, cert_number, match_key, matched_qids } of lines)
      for (const qid of match_key === 'cert_number' ? matched_qids : [])
        if (!isSameCertificate(items.get(qid)!, { grader, cert_number }))
          wrong(`line ${id} has the slab ${qid}`)
}

function stateOf(log: readonly Logged[]): LogState {
  const state = emptyLog()
  for (const { event, text } of log) {
    addEvent(state, event)
    addLink(state, text)
  }
  return state
}

function otherLogs(log: readonly Logged[]): Array<[string, Logged[]]> {
  const at = Math.floor(log.length / 2)
  const one = log[at]
  if (!one) return []
  const [before, after] = [log.slice(0, at), log.slice(at + 1)]
  const altered = { ...one, text: one.text.replace('"id"', '"ID"') }
  return [
    ['altered', [...before, altered, ...after]],
    ['missing', [...before, ...after]],
    ['repeated', [...before, one, one, ...after]],
  ]
}

/** Filled in pages of any size, by runs of which every other was killed in the middle of a page. */
function mirrored({ final, log }: Pick<History, 'final' | 'log'>, wrong: (what: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-'))
  const file = join(folder, 'mirror.db')
  try {
    for (let run = 0, done = 0; done < log.length; run++) {
      const mirror = openMirror(file, 'simulated')
      if (mirror.state().events !== done) wrong(`the mirror has ${mirror.state().events} events, not ${done}`)
      const page = log
        .slice(done, done + 1 + ((run * 97) % 250))
        .map(({ event, text }) => ({ ...event, text }))
      const killed = page.map((event, at) =>
        at === page.length - 1
          ? {
              ...event,
              get text(): string {
                throw new Error('killed')
              },
            }
          : event,
      )
      try {
        mirror.add(run % 2 ? killed : page)
        done += page.length
      } catch (error) {
        if ((error as Error).message !== 'killed') throw error
      } finally {
        mirror.close()
      }
    }
    if (log.length === 0) return
    const db = new DatabaseSync(file)
    const query = 'select qid, status, updated_at, cert_number, grade from items order by qid'
    const found = JSON.stringify(db.prepare(query).all())
    db.close()
    const items = final.items.map(({ qid, status, updated_at, cert_number, grade }) => ({
      qid,
      status,
      updated_at,
      cert_number,
      grade,
    }))
    if (found !== JSON.stringify(items.sort((a, b) => (a.qid < b.qid ? -1 : 1))))
      wrong('the mirror does not have the items')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
