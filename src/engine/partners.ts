import { v7 } from 'uuid'
import type { Environment } from '../contract/enums.ts'
import { apiKeyPrefix, formatApiKey, keyHash } from '../domain/api-key.ts'
import { conflict } from '../domain/rejection.ts'
import type { Tx } from '../store/database.ts'
import { insertKey, type KeyRow } from '../store/tables/keys.ts'
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
    last_used_at: null,
  }
  await insertKey(tx, { ...row, hash: keyHash(key) })
  return { key, row }
}

/** A UUIDv7 of the real time, for partners and keys, which belong to no scope. */
function uuidAt(sources: ClockAndRandom): string {
  return v7({ msecs: sources.clock(), random: sources.random(16) })
}
