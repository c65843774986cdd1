import { v7 } from 'uuid'
import type { Environment } from '../contract/enums.ts'
import { dayMs, keyGraceMaxMs } from '../contract/limits.ts'
import { apiKeyPrefix, formatApiKey, keyHash } from '../domain/api-key.ts'
import { conflict, existing, invalid } from '../domain/rejection.ts'
import { inScope, type Tx } from '../store/database.ts'
import {
  endReplacedKey,
  findKeysNamed,
  insertKey,
  type KeyHolder,
  type KeyRow,
  revokeKey,
} from '../store/tables/keys.ts'
import { findPartner, findScope, insertPartner, insertScope, type Scope } from '../store/tables/scopes.ts'
import type { ClockAndRandom } from './context.ts'

export async function ensureScope(
  tx: Tx,
  sources: ClockAndRandom,
  partnerName: string,
  environment: Environment,
): Promise<Scope> {
  const found = await findScope(tx, partnerName, environment)
  if (found) return found
  const partner = (await findPartner(tx, partnerName)) ?? (await createPartner(tx, sources, partnerName))
  const now = new Date(sources.clock()).toISOString()
  const id = await insertScope(tx, partner.id, environment, now)
  return { id, partner_id: partner.id, partner_name: partnerName, environment }
}

/** Throws `state_conflict` if the name is taken. */
export async function createPartner(
  tx: Tx,
  sources: ClockAndRandom,
  name: string,
): Promise<{ id: string; name: string; created_at: string }> {
  if (await findPartner(tx, name)) throw conflict(`A partner named ${name} already exists.`)
  const partner = { id: uuidAt(sources), name, created_at: new Date(sources.clock()).toISOString() }
  await insertPartner(tx, partner.id, partner.name, partner.created_at)
  return partner
}

/** The key itself is returned once and never stored, only its SHA-256 (decisions 1). */
export async function issueKey(
  tx: Tx,
  sources: ClockAndRandom,
  scope: Pick<Scope, 'id' | 'environment'>,
  expiresAt: string | null = null,
): Promise<{ key: string; row: KeyRow }> {
  const key = formatApiKey(scope.environment, sources.random(32))
  const row: KeyRow = {
    id: uuidAt(sources),
    scope_id: scope.id,
    prefix: apiKeyPrefix(key, scope.environment),
    created_at: new Date(sources.clock()).toISOString(),
    expires_at: expiresAt,
    revoked_at: null,
    replaced_at: null,
    last_used_at: null,
  }
  await insertKey(tx, { ...row, hash: keyHash(key) })
  return { key, row }
}

/** A UUIDv7 of the real time, for partners and keys, which belong to no scope. */
function uuidAt(sources: ClockAndRandom): string {
  return v7({ msecs: sources.clock(), random: sources.random(16) })
}

/** How long a rotated key stays valid, in milliseconds (decisions 1). */
export const graceDefaultMs = dayMs

export type IssuedKey = { key: string; row: KeyRow }

/** Throws `not_found` for an unknown partner. */
export async function createKey(
  tx: Tx,
  sources: ClockAndRandom,
  partnerName: string,
  environment: Environment,
  expiresAt: string | null,
): Promise<IssuedKey> {
  existing(await findPartner(tx, partnerName))
  return issueKey(tx, sources, await ensureScope(tx, sources, partnerName, environment), expiresAt)
}

/**
 * The old key stays valid for the grace period, but no longer than before (decisions 1). Throws `state_conflict` on an expired,
 * revoked, or replaced key, `validation_error` on a grace period out of bounds.
 */
export async function rotateKey(
  tx: Tx,
  sources: ClockAndRandom,
  name: string,
  graceMs: number,
): Promise<IssuedKey & { old: KeyHolder; oldExpiresAt: string }> {
  if (!(graceMs >= 0 && graceMs <= keyGraceMaxMs))
    throw invalid({ grace: [`must be from 0 to ${keyGraceMaxMs / dayMs} days`] })
  const old = await findKeyNamed(tx, name)
  const now = sources.clock()
  rejectEnded(old, new Date(now).toISOString())
  if (old.replaced_at !== null)
    throw conflict(
      `The key ${old.prefix}… was replaced at ${old.replaced_at}: rotate the new key, or create one.`,
    )
  const after = new Date(now + graceMs).toISOString()
  const oldExpiresAt = old.expires_at !== null && old.expires_at < after ? old.expires_at : after
  const issued = await issueKey(
    tx,
    sources,
    { id: old.scope_id, environment: old.environment },
    sameLifetime(old, now),
  )
  const ended = { ...old, replaced_at: new Date(now).toISOString(), expires_at: oldExpiresAt }
  if ((await endReplacedKey(tx, ended)) === 0)
    throw conflict(`The key ${old.prefix}… was revoked or replaced a moment ago.`)
  return { ...issued, old, oldExpiresAt }
}

/** The new key gets the old one's whole lifetime; null: it never expires. */
function sameLifetime(old: KeyRow, now: number): string | null {
  if (old.expires_at === null) return null
  return new Date(now + Date.parse(old.expires_at) - Date.parse(old.created_at)).toISOString()
}

/** Ends a key at once. Throws `state_conflict` if it was revoked before. */
export async function endKey(tx: Tx, sources: ClockAndRandom, name: string): Promise<KeyHolder> {
  const key = await findKeyNamed(tx, name)
  if (key.revoked_at !== null) throw conflict(`The key ${key.prefix}… was revoked at ${key.revoked_at}.`)
  await revokeKey(inScope(tx, key.scope_id), key.id, new Date(sources.clock()).toISOString())
  return key
}

/** By id or display prefix. Throws `not_found`, or `state_conflict` if several keys have that prefix. */
export async function findKeyNamed(tx: Tx, name: string): Promise<KeyHolder> {
  const [found, another] = await findKeysNamed(tx, name)
  const key = existing(found)
  if (another) throw conflict(`Several keys start with ${name}; give the id of one.`)
  return key
}

function rejectEnded(key: KeyHolder, now: string): void {
  if (key.revoked_at !== null) throw conflict(`The key ${key.prefix}… was revoked at ${key.revoked_at}.`)
  if (key.expires_at !== null && key.expires_at <= now) {
    throw conflict(`The key ${key.prefix}… expired at ${key.expires_at}; create a new one.`)
  }
}
