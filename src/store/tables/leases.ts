import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'

/** No lease is given for so long: one that ends later was given by a clock that was ahead, and counts no more. */
const leaseMaxMs = 15 * 60_000

/** The last moment at which a lease can end that is good at `now`; both by the machine's clock (ISO 8601). */
export function lastLeaseEnd(now: string): string {
  return new Date(Date.parse(now) + leaseMaxMs).toISOString()
}

/** Takes or prolongs a lease: false where another owner holds one that has not run out by `now`. */
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

/** Gives back what the owner holds: another process need not wait for the end. */
export async function dropLeases(tx: Tx, owner: string): Promise<void> {
  await tx.run(sql`delete from leases where owner = ${owner}`)
}
