import { empty, raw, type Sql, type Tx } from '../database.ts'

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
