import { empty, raw, type Sql, sql, type Tx } from '../database.ts'

// SQLite has a single writer and needs no row locks.

/** Ends a select of rows to change: other transactions skip them. */
export function skippingLocked(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for update skip locked') : empty
}

/** Ends a select of a row that no other transaction may change before this one ends. */
export function lockedAgainstWrites(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for no key update') : empty
}

/** Ends a select of a row that must not be deleted before this transaction ends; skips one that is being deleted. */
export function lockedAgainstDeletion(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for key share skip locked') : empty
}

/** Others that lock one of these names wait until this transaction ends. In order, so that no two wait for each other. */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  if (tx.dialect === 'sqlite' || names.length === 0) return
  // The unique index waits for whoever inserted a name, although it is deleted at once.
  const rows = names.toSorted().map((name) => [name, '', ''])
  await tx.insert('leases', ['name', 'owner', 'until'], rows)
  await tx.change(sql`delete from leases where name = any(${names})`)
}
