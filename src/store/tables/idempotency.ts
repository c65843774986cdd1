import type { Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'
import type { Scope } from './scopes.ts'

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

/** Whether there are results, or writes that nobody has finished, older than `before`. */
export async function hasOldResults(tx: Tx, scopeId: number, before: string): Promise<boolean> {
  const row = await tx.get(sql`
    select 1 as one from idempotency where scope_id = ${scopeId} and created_at < ${before}
    union all select 1 from unfinished_writes where scope_id = ${scopeId} and created_at < ${before}
    limit 1`)
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

/** Where a write in steps is kept: (scope, method and concrete path, key), as its result will be. */
type SlotKey = { scope: Pick<Scope, 'id'>; path: string; key: string }

/** A write in steps as far as it has come. `read_on`: the scope's date by which its body was read. */
export type UnfinishedWrite = { fingerprint: string; read_on: string; place: number }

export async function findUnfinished(
  tx: Tx,
  { scope, path, key }: SlotKey,
): Promise<UnfinishedWrite | undefined> {
  return tx.get<UnfinishedWrite>(sql`
    select fingerprint, read_on, place from unfinished_writes
    where scope_id = ${scope.id} and path = ${path} and key = ${key}`)
}

/** What was done from a place on, in order. */
export async function listParts(tx: Tx, slot: SlotKey, from: number): Promise<Uint8Array[]> {
  const rows = await tx.all<{ body: Uint8Array }>(sql`
    select body from unfinished_parts
    where scope_id = ${slot.scope.id} and path = ${slot.path} and key = ${slot.key} and part_no >= ${from}
    order by part_no`)
  return rows.map(({ body }) => body)
}

/** Keeps what a step has done that went on from the place `from`, and where it has come to. `now` is the machine's time. */
export async function saveStep(
  tx: Tx,
  { scope, path, key }: SlotKey,
  { fingerprint, read_on, place }: UnfinishedWrite,
  part: { from: number; body: Uint8Array },
  now: string,
): Promise<void> {
  await tx.change(sql`
    insert into unfinished_writes (scope_id, path, key, fingerprint, read_on, place, created_at)
    values (${scope.id}, ${path}, ${key}, ${fingerprint}, ${read_on}, ${place}, ${now})
    on conflict (scope_id, path, key) do update set place = excluded.place`)
  await tx.change(sql`
    insert into unfinished_parts (scope_id, path, key, part_no, body)
    values (${scope.id}, ${path}, ${key}, ${part.from}, ${part.body})`)
}

/** Forgets a write in steps: it is finished. */
export async function forgetUnfinished(tx: Tx, { scope, path, key }: SlotKey): Promise<void> {
  for (const table of ['unfinished_parts', 'unfinished_writes'] as const) {
    await tx.change(sql`
      delete from ${raw(table)} where scope_id = ${scope.id} and path = ${path} and key = ${key}`)
  }
}

/** Forgets those that were begun before `before` and nobody has finished. */
export async function forgetOldUnfinished(tx: Tx, scopeId: number, before: string): Promise<void> {
  await tx.change(sql`
    delete from unfinished_parts where scope_id = ${scopeId} and (path, key) in (
      select path, key from unfinished_writes where scope_id = ${scopeId} and created_at < ${before})`)
  await tx.change(sql`
    delete from unfinished_writes where scope_id = ${scopeId} and created_at < ${before}`)
}
