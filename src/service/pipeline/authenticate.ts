import { type Call, invalidKeyMessage } from '../../contract/call.ts'
import { keyHash, parseApiKey } from '../../domain/api-key.ts'
import { Rejection } from '../../domain/rejection.ts'
import { findKey, type KeyHolder } from '../../store/tables/keys.ts'
import type { Scope, ScopeClock } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'

/**
 * `version` changes with every write of the scope. It includes the scope's last time, because a restored backup can repeat the
 * number of claims. `hasResult`: whether a result, or a part of one, is stored for the call. `clock`: the scope's.
 */
export type Principal = {
  scope: Scope
  keyId?: string
  version?: string
  hasResult?: boolean
  clock?: ScopeClock
}

/**
 * Missing, malformed, unknown, revoked, expired and repeated keys all get 401 `invalid_api_key`, so that a client cannot tell
 * them apart (part 5). A valid key of the other environment gets `environment_mismatch`.
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
    throw new Rejection(
      'environment_mismatch',
      `This service serves the ${context.environment} environment; the API key is for the other one.`,
    )
  }
  const { scope_id: id, partner_id, partner_name, environment, last_at, clock_offset_ms } = holder
  const version = `${holder.claims} ${last_at}`
  const scope = { id, partner_id, partner_name, environment }
  const clock = { partner_id, environment, last_at, clock_offset_ms }
  return { scope, keyId: holder.id, version, hasResult: holder.results > 0, clock }
}

function isLive(key: KeyHolder, now: string): boolean {
  if (key.revoked_at !== null) return false
  return key.expires_at === null || key.expires_at > now
}

function invalidKey(): Rejection {
  return new Rejection('invalid_api_key', invalidKeyMessage)
}
