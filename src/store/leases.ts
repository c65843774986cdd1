import type { Tx } from './database.ts'
import { sql } from './sql.ts'

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
      where leases.owner = excluded.owner or leases.until <= ${now}`)
  return taken === 1
}

/** Gives back what the owner holds: another process need not wait for the end. */
export async function dropLeases(tx: Tx, owner: string): Promise<void> {
  await tx.run(sql`delete from leases where owner = ${owner}`)
}
