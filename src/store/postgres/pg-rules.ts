import { type Database, raw, StoreError, sql, type Tx } from '../database.ts'
import { sqlState } from './pg-fault.ts'

type OpenRule = { table: string; name: string; condition: string }

/** Constraints not validated yet: PostgreSQL applies them to older rows only when those change. */
export function openRules(tx: Tx): Promise<OpenRule[]> {
  return tx.all(sql`
    select c.relname::text as table, k.conname::text as name, pg_get_expr(k.conbin, k.conrelid) as condition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'c' and not k.convalidated and k.connamespace = current_schema()::regnamespace
    order by c.relname, k.conname`)
}

/** Validates older rows while reads and writes continue. Returns a message for each constraint that stays open. */
export async function validateRules(db: Database): Promise<string[]> {
  if (db.dialect !== 'postgres') return []
  const words: string[] = []
  for (const { table, name } of await db.read(openRules)) {
    const validate = sql`alter table ${raw(table)} validate constraint ${raw(name)}`
    const word = await db
      .write((tx) => tx.run(validate), { patient: true })
      .then(() => undefined, wordOn(name))
    if (word !== undefined) words.push(word)
  }
  return words
}

const wordOn =
  (name: string) =>
  (error: unknown): string => {
    if (sqlState(error) === '23514')
      return `Existing rows break the rule ${name}. To list them: custody db check`
    if (!(error instanceof StoreError)) throw error
    return `Cannot tell whether existing rows keep the rule ${name}: ${error.message} Have the owner of the tables run: custody db migrate`
  }
