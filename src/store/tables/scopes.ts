import type { Environment } from '../../contract/enums.ts'
import { assert } from '../../domain/rejection.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import { join, type ScopedTx, type Sql, sql, type Tx } from '../database.ts'
import { rejectNewer, schemaVersion } from '../schema-version.ts'
import { lockedAgainstWrites } from './row-locks.ts'

/** One partner in one environment (decisions 1). */
export type Scope = { id: number; partner_id: string; partner_name: string; environment: Environment }

/** A scope's time follows from the last time handed out and from how far a sandbox's clock was advanced. */
export type ScopeClock = Pick<Scope, 'partner_id' | 'environment'> & {
  last_at: string
  clock_offset_ms: number
}

/** Counters in the scope's row, read with the claim and saved when the write ends. */
export type ScopeCounters = {
  last_seq: number
  last_item_no: number
  last_intake_no: number
  stored_results: number
  last_at: string
  clock_offset_ms: number
}

/** `claims`: including this one. */
export type ScopeClaim = ScopeCounters & { claims: number }

/**
 * Serializes the scope's writers, so claim first: the order of events depends on it. Throws `StoreError` if a newer version has
 * migrated the database meanwhile, because it may store data that this version does not know.
 */
export async function claimScope(tx: ScopedTx): Promise<ScopeClaim> {
  const claim = await tx.get<ScopeClaim & { schema_version: number }>(sql`
    update scopes set claims = claims + 1 where id = ${tx.scope}
    returning claims, last_seq, last_item_no, last_intake_no, stored_results, last_at, clock_offset_ms,
      schema_version`)
  if (!claim) throw new Error(`scope ${tx.scope} is gone`)
  rejectNewer(claim.schema_version)
  assert(claim.claims > 0, 'claims are counted from 1', tx.scope, claim.claims)
  return claim
}

/** Blocks the scope's writers without being one: clock and claims stay as they are. */
export async function holdScope(tx: ScopedTx): Promise<void> {
  await tx.get(sql`select id from scopes where id = ${tx.scope} ${lockedAgainstWrites(tx)}`)
}

export async function saveScopeCounters(tx: ScopedTx, counters: ScopeCounters): Promise<void> {
  const { last_seq, last_item_no, last_intake_no, stored_results, last_at, clock_offset_ms } = counters
  assert(last_seq >= 0 && Number.isSafeInteger(last_seq), 'the log has a last number', tx.scope, last_seq)
  assert(last_item_no >= 0, 'items are numbered from 1', tx.scope, last_item_no)
  assert(last_intake_no >= 0, 'intakes are numbered from 1', tx.scope, last_intake_no)
  assert(stored_results >= 0, 'stored results are counted from 0', tx.scope, stored_results)
  assert(clock_offset_ms >= 0, 'a clock was moved forward', tx.scope, clock_offset_ms)
  await tx.change(sql`
    update scopes set last_seq = ${last_seq}, last_item_no = ${last_item_no}, last_intake_no = ${last_intake_no},
      stored_results = ${stored_results}, last_at = ${last_at}, clock_offset_ms = ${clock_offset_ms}
    where id = ${tx.scope}`)
}

export async function bumpActiveSubscriptions(tx: ScopedTx, by: number): Promise<void> {
  await tx.change(
    sql`update scopes set active_subscriptions = active_subscriptions + ${by} where id = ${tx.scope}`,
  )
}

export async function readScopeClock(tx: ScopedTx): Promise<{ last_at: string; clock_offset_ms: number }> {
  const row = await tx.get<{ last_at: string; clock_offset_ms: number }>(
    sql`select last_at, clock_offset_ms from scopes where id = ${tx.scope}`,
  )
  if (!row) throw new Error(`scope ${tx.scope} is gone`)
  return row
}

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

/** In either Unicode form. Queries return the partner with exactly this name first. */
const isNamed = (name: string): Sql => sql`p.name in (${join(unicodeForms(name))})`

export async function findScope(
  tx: Tx,
  partnerName: string,
  environment: Environment,
): Promise<Scope | undefined> {
  return tx.get<Scope>(sql`${ofScopes} where ${isNamed(partnerName)} and s.environment = ${environment}
    order by p.name <> ${partnerName} limit 1`)
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
  return tx.get(sql`
    select p.id, p.name from partners p where ${isNamed(name)} order by p.name <> ${name} limit 1`)
}

/** `partner`: no partner has this name; `partners`: there are none at all. */
export async function missingPartner(tx: Tx, name: string): Promise<'partner' | 'partners' | undefined> {
  if (await findPartner(tx, name)) return undefined
  return (await tx.get(sql`select 1 as found from partners limit 1`)) === undefined ? 'partners' : 'partner'
}

/** Partners with their environments and the number of keys valid at `now`, by name. */
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
  /** Null if the partner has no key yet. */
  environment: Environment | null
  live_keys: number
}

/** Throws if the scope exists. */
export async function insertScope(
  tx: Tx,
  partnerId: string,
  environment: Environment,
  now: string,
): Promise<number> {
  const id = await tx.value<number>(sql`
    insert into scopes (id, partner_id, environment, last_at, created_at, schema_version)
    select coalesce(max(id), 0) + 1, ${partnerId}, ${environment}, ${now}, ${now}, cast(${schemaVersion} as bigint)
    from scopes where true
    returning id`)
  if (id === undefined) throw new Error('the scope was not created')
  return id
}
