import { assert } from '../domain/invariant.ts'
import type { SqlValue, Tx } from './database.ts'

/** Inserts rows that all have the first row's columns, in the same order. Returns the number inserted. */
export async function insertRecords(
  tx: Tx,
  table: string,
  records: ReadonlyArray<Readonly<Record<string, SqlValue>>>,
  skipConflicts = false,
): Promise<number> {
  const [first] = records
  const count = first ? Object.keys(first).length : 0
  for (const record of records)
    assert(Object.keys(record).length === count, 'rows of one insert have the same columns', table, record)
  return first ? tx.insert(table, Object.keys(first), records.map(Object.values), skipConflicts) : 0
}
