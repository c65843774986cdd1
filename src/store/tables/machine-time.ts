import type { TimeRecord } from '../../domain/time-certainty.ts'
import { sql, type Tx } from '../database.ts'

/** Stored as leases without an owner. If they are lost, the time is in doubt for an hour. */
const [sure, doubted] = ['machine time is sure', 'machine time is doubted']

/** Without a record, the creation of the newest scope counts as certain. */
export async function readMachineTime(tx: Tx): Promise<TimeRecord> {
  const row = await tx.get<{ sure_at: string | null; doubted_at: string | null }>(sql`
    select coalesce((select until from leases where name = ${sure}), (select max(created_at) from scopes)) as sure_at,
      (select until from leases where name = ${doubted}) as doubted_at`)
  return { sure_at: row?.sure_at ?? new Date(0).toISOString(), doubted_at: row?.doubted_at ?? null }
}

export async function saveMachineTime(tx: Tx, { sure_at, doubted_at }: TimeRecord): Promise<void> {
  for (const [name, at] of [
    [sure, sure_at],
    [doubted, doubted_at],
  ]) {
    if (at === null) await tx.run(sql`delete from leases where name = ${name}`)
    else
      await tx.run(sql`
        insert into leases (name, owner, until) values (${name}, '', ${at})
        on conflict (name) do update set until = excluded.until`)
  }
}
