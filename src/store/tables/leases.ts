import { type Database, sql, type Tx } from '../database.ts'

/** Longer than any lease: one that ends later came from a clock that was ahead, and is ignored. */
const leaseMaxMs = 15 * 60_000

/** The latest end of a valid lease; both in machine time (ISO 8601). */
export function lastLeaseEnd(now: string): string {
  return new Date(Date.parse(now) + leaseMaxMs).toISOString()
}

/** Takes or renews a lease; false if another owner's lease is valid at `now`. */
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
