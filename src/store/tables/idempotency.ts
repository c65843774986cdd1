import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'

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

/** Whether there are results older than `before`. */
export async function hasOldResults(tx: Tx, scopeId: number, before: string): Promise<boolean> {
  const row = await tx.get(sql`
    select 1 as one from idempotency where scope_id = ${scopeId} and created_at < ${before} limit 1`)
  return row !== undefined
}

/**
 * Forgets results older than `before`, the oldest first: up to `limit`, and no more than hold `bytesMax` beside the first
 * one, because an import's are megabytes. Answers how many.
 */
export async function forgetResults(
  tx: Tx,
  scopeId: number,
  before: string,
  limit: number,
  bytesMax: number,
): Promise<number> {
  return tx.run(sql`
    delete from idempotency where scope_id = ${scopeId} and (path, key) in (
      select path, key from (
        select path, key, sum(size) over (order by created_at, path, key) - size as bytes_before from (
          select path, key, created_at, octet_length(body) as size from idempotency
          where scope_id = ${scopeId} and created_at < ${before} order by created_at, path, key limit ${limit}
        ) oldest
      ) measured where bytes_before < ${bytesMax})`)
}
