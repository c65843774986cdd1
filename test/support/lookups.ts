import { type Database, type Sql, type Tx, transactionOver } from '../../src/store/database.ts'

/** Statements that are slow in large numbers, by their text. */
const names: ReadonlyArray<readonly [string, RegExp]> = [
  ['lines by certificate', /is_open = 1 and cert_key = /],
  ['lines by SKU', /is_open = 1 and sku = /],
  ['lines by words', /is_open = 1 and phrase_key = /],
  ['words still open', /from asked where exists/],
  ['lines in order', /from manifest_lines where .* line_no > /],
  ['lines by their ids', /match_key[^;]* from asked cross join manifest_lines /],
  ['phrases', /from phrase_words /],
  ['counts', /from counts\s/],
  ['pending manifests', /from shut_manifests /],
  ['a manifest saved', /insert into manifests /],
  ['counted', /count\(\*\) as n from (intakes|manifests) /],
]

/** Such a statement, and the number of rows it returned. */
type Lookup = { name: string; rows: number }

/** The lookups, in order. */
export class Lookups {
  private seen: Lookup[] = []

  /** The names of the lookups since the last call. */
  take(): string[] {
    return this.takeWhole().map(({ name }) => name)
  }

  takeWhole(): Lookup[] {
    const { seen } = this
    this.seen = []
    return seen
  }

  /** The transaction, recording each lookup. */
  within<Of extends Tx>(tx: Of): Of {
    return transactionOver({
      ...tx,
      all: async <T>(query: Sql) => {
        const rows = await tx.all<T>(query)
        this.note(query, rows.length)
        return rows
      },
      get: async <T>(query: Sql) => {
        const row = await tx.get<T>(query)
        this.note(query, row === undefined ? 0 : 1)
        return row
      },
      change: (query) => {
        this.note(query, 0)
        return tx.change(query)
      },
    })
  }

  /** A process over the same database. */
  over(db: Database): Database {
    return { ...db, write: (fn, how) => db.write((tx) => fn(this.within(tx)), how) }
  }

  private note(query: Sql, rows: number): void {
    const found = names.find(([, pattern]) => pattern.test(query.sql))
    if (found) this.seen.push({ name: found[0], rows })
  }
}
