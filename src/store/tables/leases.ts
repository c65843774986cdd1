import type { Database, Tx } from '../database.ts'
import { sql } from '../sql.ts'

/** Longer than any lease: one that ends later was given by a clock that was ahead, and is ignored. */
const leaseMaxMs = 15 * 60_000

/** The latest end of a lease that is valid at `now`; both by the machine's clock (ISO 8601). */
export function lastLeaseEnd(now: string): string {
  return new Date(Date.parse(now) + leaseMaxMs).toISOString()
}

/** Takes or prolongs a lease; false if another owner holds one that has not run out by `now`. */
export async function takeLease(
  tx: Tx,
  name: string,
  owner: string,
  now: string,
  until: string,
): Promise<boolean> {
  const taken = await tx.run(sql`
    insert into leases (name, owner, until) values (${name}, ${owner}, ${until})
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
      where leases.owner = excluded.owner or leases.until <= ${now}
        or leases.until > ${lastLeaseEnd(now)}`)
  return taken === 1
}

/** More than an ordinary request writes: less might still fit on a full disk. */
const roomBytes = 64 * 1024

/** Writes something and deletes it again, to see whether writing works. Throws what a failing write throws. */
export async function tryRoom(db: Database): Promise<void> {
  const name = 'room for a write'
  const filler = '.'.repeat(roomBytes)
  await db.write((tx) =>
    tx.run(sql`insert into leases (name, owner, until) values (${name}, ${filler}, '')
      on conflict (name) do update set owner = excluded.owner`),
  )
  await db.write((tx) => tx.run(sql`delete from leases where name = ${name}`))
}

/** Releases what the owner holds, so that another process need not wait for its end. */
export async function dropLeases(tx: Tx, owner: string): Promise<void> {
  await tx.run(sql`delete from leases where owner = ${owner}`)
}
