import type { Environment } from '../../contract/enums.ts'
import { insertRecords, raw, type ScopedTx, sql, type Tx } from '../database.ts'
import type { Scope, ScopeClock } from './scopes.ts'

export type KeyRow = {
  id: string
  scope_id: number
  prefix: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  replaced_at: string | null
  last_used_at: string | null
}
export type KeyHolder = Omit<Scope, 'id'> & KeyRow & { environment: Environment }

const holderColumns = sql`
  k.id, k.scope_id, k.prefix, k.created_at, k.expires_at, k.revoked_at, k.replaced_at, k.last_used_at,
  s.partner_id, s.environment, p.name as partner_name`

/** By SHA-256 (hex), with the scope's clock and claims, and the number of results, whole or begun, under a path and Idempotency-Key. */
export async function findKey(
  tx: Tx,
  hash: string,
  result?: { path: string; key: string },
): Promise<(KeyHolder & ScopeClock & { claims: number; results: number }) | undefined> {
  const count = (table: string) => sql`(select count(*) from ${raw(table)} r
    where r.scope_id = k.scope_id and r.path = ${result?.path} and r.key = ${result?.key})`
  const results = result ? sql`${count('idempotency')} + ${count('unfinished_writes')}` : sql`0`
  return tx.get(sql`
    select ${holderColumns}, s.claims, s.last_at, s.clock_offset_ms, ${results} as results
    from api_keys k join scopes s on s.id = k.scope_id join partners p on p.id = s.partner_id
    where k.hash = ${hash}`)
}

export async function findKeysNamed(tx: Tx, name: string): Promise<KeyHolder[]> {
  return tx.all<KeyHolder>(sql`
    select ${holderColumns}
    from api_keys k join scopes s on s.id = k.scope_id join partners p on p.id = s.partner_id
    where k.id = ${name} or k.prefix = ${name} order by k.id`)
}

/** Oldest first. */
export async function listKeyHolders(tx: Tx): Promise<KeyHolder[]> {
  return tx.all<KeyHolder>(sql`
    select ${holderColumns}
    from api_keys k join scopes s on s.id = k.scope_id join partners p on p.id = s.partner_id
    order by k.id`)
}

export async function insertKey(tx: Tx, key: KeyRow & { hash: string }): Promise<void> {
  const { id, scope_id, hash, prefix, created_at, expires_at } = key
  await insertRecords(tx, 'api_keys', [{ id, scope_id, hash, prefix, created_at, expires_at }])
}

/** 0 if another transaction revoked or replaced the key meanwhile. */
export async function endReplacedKey(
  tx: Tx,
  { id, scope_id, replaced_at, expires_at }: Pick<KeyRow, 'id' | 'scope_id' | 'replaced_at' | 'expires_at'>,
): Promise<number> {
  return tx.run(sql`
    update api_keys set replaced_at = ${replaced_at}, expires_at = ${expires_at}
    where scope_id = ${scope_id} and id = ${id} and revoked_at is null and replaced_at is null`)
}

export async function revokeKey(tx: ScopedTx, id: string, now: string): Promise<number> {
  return tx.run(sql`
    update api_keys set revoked_at = ${now} where scope_id = ${tx.scope} and id = ${id} and revoked_at is null`)
}

/** A late record does not move the time back. */
export async function touchKey(tx: Tx, id: string, at: string): Promise<void> {
  await tx.change(sql`
    update api_keys set last_used_at = ${at}
    where id = ${id} and (last_used_at is null or last_used_at < ${at})`)
}
