import type { TimeRecord } from '../../domain/time-certainty.ts'
import { type Database, sql, type Tx } from '../database.ts'
import { schemaVersion } from '../schema-version.ts'

/** Longer than any lease: one that ends later came from a clock that was ahead, and is ignored. */
const leaseMaxMs = 15 * 60_000

/** The latest end of a valid lease; both in machine time (ISO 8601). */
export function lastLeaseEnd(now: string): string {
  return new Date(Date.parse(now) + leaseMaxMs).toISOString()
}

/** Takes or renews a lease; false if another owner's is valid at `now`, or if a newer version keeps this process from writing. */
export async function takeLease(
  tx: Tx,
  name: string,
  owner: string,
  now: string,
  until: string,
): Promise<boolean> {
  const taken = await tx.run(sql`
    insert into leases (name, owner, until) select ${name}, ${owner}, ${until}
      where not exists (select 1 from scopes where schema_version > ${schemaVersion})
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
      where leases.owner = excluded.owner or leases.until <= ${now}
        or leases.until > ${lastLeaseEnd(now)}`)
  return taken === 1
}

/** More than an ordinary request writes: less might still fit on a full disk. */
const roomBytes = 64 * 1024

/** Writes and deletes a row to test that writing works. Throws what a failed write throws. */
export async function checkSpace(db: Database): Promise<void> {
  const name = 'room for a write'
  const filler = '.'.repeat(roomBytes)
  await db.write((tx) =>
    tx.run(sql`insert into leases (name, owner, until) values (${name}, ${filler}, '')
      on conflict (name) do update set owner = excluded.owner`),
  )
  await db.write((tx) => tx.run(sql`delete from leases where name = ${name}`))
}

export async function dropLeases(tx: Tx, owner: string): Promise<void> {
  await tx.run(sql`delete from leases where owner = ${owner}`)
}

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
