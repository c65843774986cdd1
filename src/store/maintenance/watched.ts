import type { Tx } from '../database.ts'

/** Called with the number of rows of each query's result, and awaited before they are handed over. */
export type OnRows = (rows: number) => Promise<void>

/** The transaction, reporting how many rows it reads: to show the progress of a long read. */
export function watched(tx: Tx, onRows: OnRows): Tx {
  return {
    ...tx,
    async all<T>(query: Parameters<Tx['all']>[0]) {
      const rows = await tx.all<T>(query)
      await onRows(rows.length)
      return rows
    },
  }
}
