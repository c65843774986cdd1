import { assert } from '../../domain/rejection.ts'
import { raw, type ScopedTx, type Sql, sql } from '../database.ts'

export type StoredResult = { fingerprint: string; status: number; body: Uint8Array }

/** A result with its age, in machine time and in writes of its scope. */
export type AgedResult = StoredResult & { created_at: string; writes_since: number }

/** A result is kept for at least this many writes of its scope, regardless of the clock (decisions 12). */
const keptWrites = 10_000
/** Of the results that are old by time, only this many of the oldest are checked for writes. */
const checkedAtOnce = 20

/** The API key is not part of the lookup: rotating it does not break a retry (decisions 4). */
export async function findResult(tx: ScopedTx, path: string, key: string): Promise<AgedResult | undefined> {
  return tx.get<AgedResult>(sql`
    select i.fingerprint, i.status, i.body, i.created_at, s.claims - i.claims as writes_since
    from idempotency i join scopes s on s.id = i.scope_id
    where i.scope_id = ${tx.scope} and i.path = ${path} and i.key = ${key}`)
}

export function isRemembered({ created_at, writes_since }: AgedResult, notBefore: string): boolean {
  return created_at >= notBefore || writes_since < keptWrites
}

export async function insertResult(
  tx: ScopedTx,
  path: string,
  key: string,
  { fingerprint, status, body, claims }: StoredResult & { claims: number },
  now: string,
): Promise<void> {
  assert(
    status >= 200 && status < 500,
    'a stored result is an answer or an error',
    tx.scope,
    path,
    key,
    status,
  )
  assert(body.length > 0, 'a stored result has a body', tx.scope, path, key)
  assert(claims > 0, 'a stored result has the number of its claim', tx.scope, path, key, claims)
  await tx.change(sql`
    insert into idempotency (scope_id, path, key, fingerprint, status, body, claims, created_at)
    values (${tx.scope}, ${path}, ${key}, ${fingerprint}, ${status}, ${body}, ${claims}, ${now})
    on conflict (scope_id, path, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      body = excluded.body, claims = excluded.claims, created_at = excluded.created_at`)
}

/** Results older than `before` expire after enough writes of the scope; those older than `longBefore` expire anyway. */
type ForgetTimes = { before: string; longBefore: string }

/** Results of a quiet partner are old by time weeks before they are old by writes, so only the oldest are checked. */
export async function hasOldResults(tx: ScopedTx, times: ForgetTimes): Promise<boolean> {
  const oldest = (table: string): Sql => sql`
    select 1 as one from (
      select created_at, claims from ${raw(table)} where scope_id = ${tx.scope} and created_at < ${times.before}
      order by created_at, path, key limit ${checkedAtOnce}
    ) ${raw(`oldest_${table}`)} where ${isOld(tx.scope, times)}`
  const row = await tx.get(sql`${oldest('idempotency')} union all ${oldest('unfinished_writes')} limit 1`)
  return row !== undefined
}

function isOld(scopeId: number, { longBefore }: ForgetTimes): Sql {
  return sql`(created_at < ${longBefore}
    or claims <= (select s.claims from scopes s where s.id = ${scopeId}) - cast(${keptWrites} as bigint))`
}

/** Deletes up to `limit`, after the first at most `bytesMax`: an import's result takes megabytes. Returns how many. */
export async function forgetResults(
  tx: ScopedTx,
  times: ForgetTimes,
  limit: number,
  bytesMax: number,
): Promise<number> {
  const forgotten = await tx.run(sql`
    delete from idempotency where scope_id = ${tx.scope} and (path, key) in (
      select path, key from (
        select path, key, sum(size) over (order by created_at, path, key) - size as bytes_before from (
          select path, key, created_at, claims, octet_length(body) as size from idempotency
          where scope_id = ${tx.scope} and created_at < ${times.before}
          order by created_at, path, key limit ${limit}
        ) oldest where ${isOld(tx.scope, times)}
      ) measured where bytes_before < ${bytesMax})`)
  await tx.change(sql`
    update scopes set stored_results = stored_results - cast(${forgotten} as bigint) where id = ${tx.scope}`)
  return forgotten
}

/** The key of a stepped write, the same as its result's. */
type SlotKey = { path: string; key: string }

/** `read_on`: the scope's date when the body was parsed; `manifest_id`: the manifest being submitted. */
export type UnfinishedWrite = {
  fingerprint: string
  read_on: string
  place: number
  manifest_id: string | null
}

/** Both in one query: a stepped write asks for them with each claim. */
export async function findResultOrUnfinished(
  tx: ScopedTx,
  { path, key }: SlotKey,
): Promise<{ result: AgedResult | undefined; begun: UnfinishedWrite | undefined }> {
  const row = await tx.get<{ [Column in keyof AgedResult]: AgedResult[Column] | null } & Begun>(sql`
    select i.fingerprint, i.status, i.body, i.created_at, s.claims - i.claims as writes_since,
      u.fingerprint as begun_fingerprint, u.read_on, u.place, u.manifest_id
    from scopes s
    left join idempotency i on i.scope_id = s.id and i.path = ${path} and i.key = ${key}
    left join unfinished_writes u on u.scope_id = s.id and u.path = ${path} and u.key = ${key}
    where s.id = ${tx.scope}`)
  if (!row) throw new Error(`scope ${tx.scope} is gone`)
  const { begun_fingerprint: fingerprint, read_on, place, manifest_id, ...result } = row
  return {
    result: result.fingerprint === null ? undefined : (result as AgedResult),
    begun: fingerprint === null ? undefined : { fingerprint, read_on, place, manifest_id },
  }
}

/** Columns that are null if nothing was begun. */
type Begun = { begun_fingerprint: string | null; read_on: string; place: number; manifest_id: string | null }

export async function listParts(tx: ScopedTx, { path, key }: SlotKey, from: number): Promise<Uint8Array[]> {
  return tx.values(sql`
    select body from unfinished_parts
    where scope_id = ${tx.scope} and path = ${path} and key = ${key} and part_no >= ${from}
    order by part_no`)
}

/** Stores a step that started at `from`, and the new place. `now` is machine time. */
export async function saveStep(
  tx: ScopedTx,
  { path, key }: SlotKey,
  { fingerprint, read_on, place, manifest_id }: UnfinishedWrite,
  part: { from: number; body: Uint8Array },
  { now, claims }: { now: string; claims: number },
): Promise<void> {
  assert(place > part.from, 'a step moves forward', tx.scope, path, key, part.from, place)
  assert(part.body.length > 0, 'a step keeps its results', tx.scope, path, key, place)
  await tx.change(sql`
    insert into unfinished_writes (scope_id, path, key, fingerprint, read_on, place, manifest_id, claims, created_at)
    values (${tx.scope}, ${path}, ${key}, ${fingerprint}, ${read_on}, ${place}, ${manifest_id}, ${claims}, ${now})
    on conflict (scope_id, path, key) do update set place = excluded.place, manifest_id = excluded.manifest_id,
      claims = excluded.claims, created_at = excluded.created_at`)
  await tx.change(sql`
    insert into unfinished_parts (scope_id, path, key, part_no, body)
    values (${tx.scope}, ${path}, ${key}, ${part.from}, ${part.body})`)
}

export async function forgetUnfinished(tx: ScopedTx, { path, key }: SlotKey): Promise<void> {
  for (const table of ['unfinished_parts', 'unfinished_writes'] as const) {
    await tx.change(sql`
      delete from ${raw(table)} where scope_id = ${tx.scope} and path = ${path} and key = ${key}`)
  }
}

/** Deletes old unfinished writes, as many as `hasOldResults` checks, because each may have many parts. */
export async function forgetOldUnfinished(tx: ScopedTx, times: ForgetTimes): Promise<void> {
  const old = sql`
    select path, key from (
      select path, key, created_at, claims from unfinished_writes
      where scope_id = ${tx.scope} and created_at < ${times.before} order by created_at, path, key limit ${checkedAtOnce}
    ) oldest where ${isOld(tx.scope, times)}`
  for (const table of ['unfinished_parts', 'unfinished_writes'] as const)
    await tx.change(sql`delete from ${raw(table)} where scope_id = ${tx.scope} and (path, key) in (${old})`)
}
