import type { Environment } from '../../contract/enums.ts'
import { assert } from '../../domain/invariant.ts'
import type { Tx } from '../database.ts'
import { refuseNewer, schemaVersion } from '../schema-version.ts'
import { sql } from '../sql.ts'
import { keepingWritersOut } from './row-locks.ts'

/** One partner in one environment (decisions 1). */
export type Scope = { id: number; partner_id: string; partner_name: string; environment: Environment }

/** What a scope's time is computed from: the last one handed out, and how far a sandbox's clock was moved on. */
export type ScopeClock = Pick<Scope, 'partner_id' | 'environment'> & {
  last_at: string
  clock_offset_ms: number
}

/** The counters that a write reads from the scope's row when it claims it, and writes back at its end. */
type ScopeCounters = {
  last_seq: number
  last_item_no: number
  last_intake_no: number
  /** Results kept for replay. */
  stored_results: number
  last_at: string
  clock_offset_ms: number
}

/** `claims`: how many claims there were, this one included. */
export type ScopeClaim = ScopeCounters & { claims: number }

/**
 * Claims the scope for this transaction: writers of one scope go one after the other from here on.
 * Claim first: the order of events depends on it. Throws `StoreError` if a newer custody has migrated the database since it
 * was opened: it may store what this one does not know.
 */
export async function claimScope(tx: Tx, scopeId: number): Promise<ScopeClaim | undefined> {
  const claim = await tx.get<ScopeClaim & { schema_version: number }>(sql`
    update scopes set claims = claims + 1 where id = ${scopeId}
    returning claims, last_seq, last_item_no, last_intake_no, stored_results, last_at, clock_offset_ms,
      schema_version`)
  if (claim) refuseNewer(claim.schema_version)
  assert(claim === undefined || claim.claims > 0, 'claims are counted from 1', scopeId, claim?.claims)
  return claim
}

/** Keeps the scope's writers out for this transaction, which is none of them: its clock and its claims stay as they are. */
export async function holdScope(tx: Tx, scopeId: number): Promise<void> {
  await tx.get(sql`select id from scopes where id = ${scopeId} ${keepingWritersOut(tx)}`)
}

export async function saveScopeCounters(tx: Tx, scopeId: number, counters: ScopeCounters): Promise<void> {
  const { last_seq, last_item_no, last_intake_no, stored_results, clock_offset_ms } = counters
  assert(last_seq >= 0 && Number.isSafeInteger(last_seq), 'the log has a last number', scopeId, last_seq)
  assert(last_item_no >= 0, 'items are numbered from 1', scopeId, last_item_no)
  assert(last_intake_no >= 0, 'intakes are numbered from 1', scopeId, last_intake_no)
  assert(stored_results >= 0, 'stored results are counted from 0', scopeId, stored_results)
  assert(clock_offset_ms >= 0, 'a clock was moved forward', scopeId, clock_offset_ms)
  await tx.change(sql`
    update scopes set last_seq = ${counters.last_seq}, last_item_no = ${counters.last_item_no},
      last_intake_no = ${counters.last_intake_no}, stored_results = ${counters.stored_results},
      last_at = ${counters.last_at},
      clock_offset_ms = ${counters.clock_offset_ms}
    where id = ${scopeId}`)
}

/** Changes how many webhook subscriptions of the scope are active. */
export async function bumpActiveSubscriptions(tx: Tx, scopeId: number, by: number): Promise<void> {
  await tx.change(
    sql`update scopes set active_subscriptions = active_subscriptions + ${by} where id = ${scopeId}`,
  )
}

export async function readScopeClock(
  tx: Tx,
  scopeId: number,
): Promise<{ last_at: string; clock_offset_ms: number }> {
  const row = await tx.get<{ last_at: string; clock_offset_ms: number }>(
    sql`select last_at, clock_offset_ms from scopes where id = ${scopeId}`,
  )
  if (!row) throw new Error(`scope ${scopeId} is gone`)
  return row
}

/** The place of the scope's last event, as the transaction found it. */
export async function readLastSeq(tx: Tx, scopeId: number): Promise<number> {
  const row = await tx.get<{ last_seq: number }>(sql`select last_seq from scopes where id = ${scopeId}`)
  return row?.last_seq ?? 0
}

/** The clocks of all scopes of an environment. */
export async function listScopeClocks(
  tx: Tx,
  environment: Environment,
): Promise<Array<ScopeClock & { partner_name: string }>> {
  return tx.all(sql`
    select s.partner_id, p.name as partner_name, s.environment, s.last_at, s.clock_offset_ms
    from scopes s join partners p on p.id = s.partner_id where s.environment = ${environment} order by s.id`)
}

const ofScopes = sql`
  select s.id, s.partner_id, p.name as partner_name, s.environment
  from scopes s join partners p on p.id = s.partner_id`

export async function findScope(
  tx: Tx,
  partnerName: string,
  environment: Environment,
): Promise<Scope | undefined> {
  return tx.get<Scope>(sql`${ofScopes} where p.name = ${partnerName} and s.environment = ${environment}`)
}

export async function findScopeById(tx: Tx, id: number): Promise<Scope | undefined> {
  return tx.get<Scope>(sql`${ofScopes} where s.id = ${id}`)
}

export async function listScopes(tx: Tx): Promise<Scope[]> {
  return tx.all<Scope>(sql`${ofScopes} order by s.id`)
}

export async function insertPartner(tx: Tx, id: string, name: string, now: string): Promise<void> {
  await tx.change(sql`insert into partners (id, name, created_at) values (${id}, ${name}, ${now})`)
}

export async function findPartner(tx: Tx, name: string): Promise<{ id: string; name: string } | undefined> {
  return tx.get(sql`select id, name from partners where name = ${name}`)
}

/** `partner`: there are others, but none of this name; `partners`: there is none at all. */
export async function missingPartner(tx: Tx, name: string): Promise<'partner' | 'partners' | undefined> {
  if (await findPartner(tx, name)) return undefined
  return (await tx.get(sql`select 1 as found from partners limit 1`)) === undefined ? 'partners' : 'partner'
}

/** Every partner with the environments it is in and the keys that are good at `now`, by name. */
export async function listPartners(tx: Tx, now: string): Promise<PartnerRow[]> {
  return tx.all<PartnerRow>(sql`
    select p.id, p.name, p.created_at, s.environment,
      (select count(*) from api_keys k where k.scope_id = s.id and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${now})) as live_keys
    from partners p left join scopes s on s.partner_id = p.id order by p.name, s.environment`)
}

export type PartnerRow = {
  id: string
  name: string
  created_at: string
  /** Null where it has no key anywhere yet. */
  environment: Environment | null
  live_keys: number
}

/** Throws on a scope that exists already. */
export async function insertScope(
  tx: Tx,
  partnerId: string,
  environment: Environment,
  now: string,
): Promise<number> {
  const row = await tx.get<{ id: number }>(sql`
    insert into scopes (id, partner_id, environment, last_at, created_at, schema_version)
    select coalesce(max(id), 0) + 1, ${partnerId}, ${environment}, ${now}, ${now}, cast(${schemaVersion} as bigint)
    from scopes where true
    returning id`)
  if (!row) throw new Error('the scope was not made')
  return row.id
}
