import { type Call, invalidKeyMessage } from '../../contract/call.ts'
import { keyHash, parseApiKey } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/refusal.ts'
import { findKey, type KeyHolder } from '../../store/tables/keys.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'

/**
 * Whose call it is; embedded calls have no key. `version` changes with every write of the scope, even if a backup was restored
 * meanwhile: its number of claims may come again, but its last time does not. `hasResult`: whether there is one for the call.
 */
export type Principal = { scope: Scope; keyId?: string; version?: string; hasResult?: boolean }

/**
 * The scope of the call's key (part 5). Missing, malformed, unknown, revoked, expired and doubled keys get the same answer,
 * so that nobody can tell them apart: 401 `invalid_api_key`. A valid key of the other environment: `environment_mismatch`.
 */
export async function authenticate(
  context: Context,
  call: Call,
  result?: { path: string; key: string },
): Promise<Principal> {
  if (context.principal) return { scope: context.principal }
  const sent = call.headers['x-api-key']
  if (typeof sent !== 'string' || !parseApiKey(sent)) throw invalidKey()
  const holder = await context.db.read((tx) => findKey(tx, keyHash(sent), result), { single: true })
  if (!holder || !isLive(holder, new Date(context.sources.clock()).toISOString())) throw invalidKey()
  if (holder.environment !== context.environment) {
    throw new Refusal(
      'environment_mismatch',
      `This service serves the ${context.environment} environment; the API key is for the other one.`,
    )
  }
  const { scope_id: id, partner_id, partner_name, environment } = holder
  const version = `${holder.claims} ${holder.last_at}`
  const scope = { id, partner_id, partner_name, environment }
  return { scope, keyId: holder.id, version, hasResult: holder.results > 0 }
}

function isLive(key: KeyHolder, now: string): boolean {
  if (key.revoked_at !== null) return false
  return key.expires_at === null || key.expires_at > now
}

function invalidKey(): Refusal {
  return new Refusal('invalid_api_key', invalidKeyMessage)
}
