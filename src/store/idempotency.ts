import type { Tx } from './database.ts'
import { sql } from './sql.ts'

export type StoredResult = { fingerprint: string; status: number; body: Uint8Array }

/** Found by (scope, method and concrete path, key): rotating an API key does not break a retry (decisions 4). */
export async function findResult(
  tx: Tx,
  scopeId: number,
  path: string,
  key: string,
  notBefore: string,
): Promise<StoredResult | undefined> {
  return tx.get<StoredResult>(sql`
    select fingerprint, status, body from idempotency
    where scope_id = ${scopeId} and path = ${path} and key = ${key} and created_at >= ${notBefore}`)
}

export async function insertResult(
  tx: Tx,
  scopeId: number,
  path: string,
  key: string,
  result: StoredResult,
  now: string,
): Promise<void> {
  await tx.change(sql`
    insert into idempotency (scope_id, path, key, fingerprint, status, body, created_at)
    values (${scopeId}, ${path}, ${key}, ${result.fingerprint}, ${result.status}, ${result.body}, ${now})
    on conflict (scope_id, path, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      body = excluded.body, created_at = excluded.created_at`)
}

/** Forgets up to `limit` results older than `before`; answers how many. */
export async function forgetResults(tx: Tx, scopeId: number, before: string, limit: number): Promise<number> {
  return tx.run(sql`
    delete from idempotency where scope_id = ${scopeId} and (path, key) in (
      select path, key from idempotency where scope_id = ${scopeId} and created_at < ${before}
      order by created_at, path, key limit ${limit})`)
}
