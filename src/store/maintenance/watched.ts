import type { Tx } from '../database.ts'

/** Called with the number of rows of each result, and awaited before they are returned. */
export type OnRows = (rows: number) => Promise<void>

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
