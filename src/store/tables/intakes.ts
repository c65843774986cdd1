import type { Json } from '../../contract/call.ts'
import type { FiltersOf } from '../../contract/operations.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import { certKey, gradersOf } from '../../domain/graders/certificate.ts'
import { assert } from '../../domain/rejection.ts'
import { insertRecords, raw, type ScopedTx, type Sql, sql } from '../database.ts'
import { countRows, type FilterRules, narrowing } from './documents.ts'
import { ofGraders } from './item-lists.ts'

/** Numbered without gaps in the scope; times never go back. */
type IntakeRecord = { intake_no: number; event: IntakeEvent; doc: Json<IntakeEvent> }

/** Intakes from number `from` up to but excluding `to`. */
export type IntakeFilter = FiltersOf<'listIntakes'> & { from: number; to: number }

/** Times are translated to numbers (engine/intake/intakes.ts). */
export const intakeFilters: Omit<FilterRules<'listIntakes'>, 'intake_after' | 'intake_before'> = {
  manifest_id: { where: (id) => sql`manifest_id = ${id.toLowerCase()}` },
  cert_number: {
    where: (text, scopeId) => {
      const key = certKey(text)
      const graders = gradersOf({ cert_number: text })
      if (graders.length === 0) return sql`cert_number = ${key}`
      // Without its own select, SQLite walks all intakes: the index of certificates has no QIDs.
      return sql`intake_no in (
        select intake_no from intakes where scope_id = ${scopeId} and cert_number = ${key}) and qid in (
        select qid from items where scope_id = ${scopeId} and cert_key = ${key} ${ofGraders(raw('grader_key'), graders)})`
    },
  },
}

export async function insertIntakes(tx: ScopedTx, intakes: readonly IntakeRecord[]): Promise<void> {
  for (const [at, { intake_no, event, doc }] of intakes.entries()) {
    const isNext = intake_no === (intakes[0]?.intake_no ?? 0) + at
    assert(isNext && intake_no >= 1, 'intakes are numbered without a gap', event.qid, intake_no)
    assert(doc.includes(event.qid), 'a document belongs to its intake', event.qid)
    assert(event.qid === event.item.qid, 'an intake belongs to its item', event.qid, event.item.qid)
  }
  const rows = intakes.map(({ intake_no, event, doc }) => ({
    scope_id: tx.scope,
    intake_no,
    ...intakeColumns(event),
    doc,
  }))
  await insertRecords(tx, 'intakes', rows)
}

export function intakeColumns({ qid, intake_at, manifest_id, manifest_line_id, item }: IntakeEvent) {
  // In comparable form, because only a filter reads this column.
  const cert_number = item.cert_number === null ? null : certKey(item.cert_number)
  return { qid, intake_at, manifest_id, line_id: manifest_line_id, cert_number }
}

export async function findIntakeNoFrom(tx: ScopedTx, time: string): Promise<number | undefined> {
  return tx.value(sql`
    select intake_no from intakes where scope_id = ${tx.scope} and intake_at >= ${time}
    order by intake_at, intake_no limit 1`)
}

export async function findLastIntakeNo(tx: ScopedTx): Promise<number> {
  return tx.number(
    sql`select intake_no from intakes where scope_id = ${tx.scope} order by intake_no desc limit 1`,
  )
}

/** Newest first. Numbers come from a covering index in a subselect; otherwise SQLite would not use it. */
export async function listIntakeDocs(
  tx: ScopedTx,
  filter: IntakeFilter,
  limit: number,
  offset: number,
): Promise<Array<Json<IntakeEvent>>> {
  return tx.values(sql`
    select doc from intakes where scope_id = ${tx.scope} and intake_no in (
      select intake_no from intakes where scope_id = ${tx.scope} ${filtered(tx.scope, filter)}
      order by intake_no desc limit ${limit} offset ${offset})
    order by intake_no desc`)
}

/** For a filter by manifest or certificate. */
export function countIntakes(tx: ScopedTx, filter: IntakeFilter): Promise<number> {
  return countRows(tx, 'intakes', filtered(tx.scope, filter))
}

/** First intakes of items attributed to a manifest that match none of its lines (decisions 6), oldest first. */
export async function listUnexpectedIntakes(
  tx: ScopedTx,
  manifestId: string,
  limit: number,
  offset: number,
): Promise<IntakeEvent[]> {
  const docs = await tx.values<string>(sql`
    select doc from intakes where scope_id = ${tx.scope} and intake_no in (
      select min(intake_no) as first_no from intakes
      where scope_id = ${tx.scope} and intake_no in (
        select intake_no from intakes
        where scope_id = ${tx.scope} and manifest_id = ${manifestId} and line_id is null)
      group by qid order by first_no limit ${limit} offset ${offset})
    order by intake_no`)
  return docs.map((doc) => JSON.parse(doc))
}

function filtered(scopeId: number, { from, to, ...query }: IntakeFilter): Sql {
  return sql`and intake_no >= ${from} and intake_no < ${to} ${narrowing<'listIntakes'>(intakeFilters, query, scopeId).where}`
}
