import type { Dialect, Tx } from './database.ts'
import type { ItemSearch } from './item-search.ts'
import { postgresSearch } from './postgres/pg-search.ts'
import { sqliteSearch } from './sqlite/sqlite-search.ts'

const searches: Record<Dialect, ItemSearch> = { sqlite: sqliteSearch, postgres: postgresSearch }

export function searchOf(tx: Tx): ItemSearch {
  return searches[tx.dialect]
}
