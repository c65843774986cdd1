import { createHash } from 'node:crypto'
import { conflict, Rejection } from '../../domain/rejection.ts'
import {
  type Database,
  inScope,
  raw,
  type ScopedTx,
  type SqlValue,
  StoreError,
  sql,
  type Tx,
} from '../database.ts'
import { searchOf } from '../search-of.ts'
import {
  findPartner,
  findScope,
  insertPartner,
  insertScope,
  listScopes,
  type Scope,
  type ScopeCounters,
} from '../tables/scopes.ts'
import { type OnRows, type Row, rowsOf, type ScopedTable, scopedTables, watched } from './scoped-rows.ts'

type CopiedTable = Digest & { environment: string; table: string }

export type Copied = {
  tables: CopiedTable[]
  /** Environments written to during the copy: the copy lacks those writes. */
  outdated: string[]
}

type CopyOptions = {
  partner: string
  /** The name in the target (default: the same). */
  as?: string | undefined
  onTable?: (copied: CopiedTable) => void
  onRows?: OnRows
}

const tables = Object.keys(scopedTables) as ScopedTable[]

type ScopeRow = ScopeCounters & { claims: number; active_subscriptions: number; created_at: string }

/**
 * Copies a partner and its environments from one snapshot in one transaction, committed only if every table read back has the
 * same row count and checksum. Throws `not_found` for an unknown partner, `state_conflict` if the target has its data or another
 * name for it. Finally checks the source for writes made meanwhile.
 */
export async function copyPartner(from: Database, to: Database, options: CopyOptions): Promise<Copied> {
  const { partner, onRows = async () => {} } = options
  const { tables, marks } = await from.read(async (source) => {
    await waitForever(source)
    const marks = await marksOf(source, partner)
    const scopes = (await listScopes(source)).filter((scope) => scope.partner_name === partner)
    if (scopes.length === 0) {
      throw new Rejection('not_found', `The source has no partner named ${partner}.`)
    }
    const read = watched(source, onRows)
    const tables = await to.write(async (target) => {
      await waitForever(target)
      const copied: CopiedTable[] = []
      for (const scope of scopes)
        copied.push(...(await copyScope(read, watched(target, onRows), scope, options)))
      return copied
    })
    return { tables, marks }
  })
  const after = await from.read((source) => marksOf(source, partner))
  return { tables, outdated: [...after.keys()].filter((name) => after.get(name) !== marks.get(name)) }
}

/** A value per environment that changes with every write. API keys change without a claim, so they are counted. */
async function marksOf(tx: Tx, partner: string): Promise<Map<string, string>> {
  const rows = await tx.all<{ environment: string; mark: string }>(sql`
    select s.environment, s.claims || '/' || (
      select count(*) || '/' || count(k.expires_at) || '/' || count(k.revoked_at)
      from api_keys k where k.scope_id = s.id) as mark
    from scopes s join partners p on p.id = s.partner_id where p.name = ${partner} order by s.environment`)
  return new Map(rows.map(({ environment, mark }) => [environment, mark]))
}

/** While one database works through a large table, the other is idle for longer than the service's timeout. */
async function waitForever(tx: Tx): Promise<void> {
  if (tx.dialect !== 'postgres') return
  await tx.get(sql`select set_config('idle_in_transaction_session_timeout', '0', true) as set`)
}

async function copyScope(source: Tx, target: Tx, scope: Scope, options: CopyOptions): Promise<CopiedTable[]> {
  const from = inScope(source, scope.id)
  const row = await readScope(from)
  const id = await emptyScope(target, { ...scope, partner_name: options.as ?? scope.partner_name }, row)
  const to = inScope(target, id)
  await rejectKeysHeld(from, to)
  // A new partner can already have API keys; they stay and do not count as copied.
  const held = await idsOfKeys(to)
  const copied: CopiedTable[] = []
  for (const table of tables) {
    const digest = await copyTable(from, to, table)
    verify(table, digest, await digestTable(to, table, held))
    copied.push({ environment: scope.environment, table, ...digest })
    options.onTable?.({ environment: scope.environment, table, ...digest })
  }
  await writeScope(to, row)
  await verifySequences(to, row)
  return copied
}

async function emptyScope(tx: Tx, scope: Scope, { created_at }: ScopeRow): Promise<number> {
  const found = await findScope(tx, scope.partner_name, scope.environment)
  if (!found) return makeScope(tx, scope, created_at)
  await tx.run(sql`update scopes set claims = claims + 1 where id = ${found.id}`)
  for (const table of tables) {
    const held = await tx.get(sql`select 1 as held from ${raw(table)} where scope_id = ${found.id} limit 1`)
    if (!held || table === 'api_keys') continue
    throw conflict(
      `The target already has data of ${scope.partner_name} (${scope.environment}): copy into an empty one.`,
    )
  }
  return found.id
}

async function makeScope(tx: Tx, scope: Scope, createdAt: string): Promise<number> {
  const partner = await findPartner(tx, scope.partner_name)
  const twin = await findPartnerById(tx, scope.partner_id)
  // The API keys of all its environments must belong to one partner.
  if (twin && twin.name !== scope.partner_name)
    throw conflict(`The target already has this partner, named ${twin.name}.`)
  if (!partner) await insertPartner(tx, scope.partner_id, scope.partner_name, createdAt)
  return insertScope(tx, partner?.id ?? scope.partner_id, scope.environment, createdAt)
}

async function findPartnerById(tx: Tx, id: string): Promise<{ name: string } | undefined> {
  return tx.get(sql`select name from partners where id = ${id}`)
}

/** An API key belongs to one partner: if the target has one of its keys, the partner was copied before, perhaps without data. */
async function rejectKeysHeld(source: ScopedTx, target: Tx): Promise<void> {
  for (const id of await idsOfKeys(source)) {
    const name = await target.value<string>(sql`
      select p.name from api_keys k join scopes s on s.id = k.scope_id join partners p on p.id = s.partner_id
      where k.id = ${id}`)
    if (name) throw conflict(`The target already has keys of this partner, named ${name}.`)
  }
}

async function idsOfKeys(tx: ScopedTx): Promise<Set<string>> {
  return new Set(await tx.values<string>(sql`select id from api_keys where scope_id = ${tx.scope}`))
}

async function readScope(tx: ScopedTx): Promise<ScopeRow> {
  const row = await tx.get<ScopeRow>(sql`
    select claims, last_seq, last_item_no, last_intake_no, stored_results, last_at, clock_offset_ms, active_subscriptions, created_at
    from scopes where id = ${tx.scope}`)
  if (!row) throw new Error(`scope ${tx.scope} is gone`)
  return row
}

async function writeScope(tx: ScopedTx, row: ScopeRow): Promise<void> {
  await tx.run(sql`
    update scopes set claims = claims + ${row.claims}, last_seq = ${row.last_seq},
      last_item_no = ${row.last_item_no}, last_intake_no = ${row.last_intake_no}, last_at = ${row.last_at},
      stored_results = ${row.stored_results}, clock_offset_ms = ${row.clock_offset_ms}, active_subscriptions = ${row.active_subscriptions}
    where id = ${tx.scope}`)
}

function verify(table: string, read: Digest, written: Digest): void {
  if (read.rows === written.rows && read.sha256 === written.sha256) return
  throw new StoreError(
    'corrupt',
    `The copy of ${table} differs from what was read (${read.rows} rows, then ${written.rows}): nothing was stored.`,
  )
}

/** Later writes continue from these counters: events have no gaps, and the last item and intake numbers match the rows. */
async function verifySequences(tx: ScopedTx, row: ScopeRow): Promise<void> {
  const found = await tx.get<Record<string, number | null>>(sql`
    select (select count(*) from events where scope_id = ${tx.scope}) as events,
      (select max(seq) from events where scope_id = ${tx.scope}) as last_seq,
      (select max(item_no) from items where scope_id = ${tx.scope}) as last_item_no,
      (select max(intake_no) from intakes where scope_id = ${tx.scope}) as last_intake_no`)
  const { last_seq, last_item_no, last_intake_no } = row
  const expected = { events: last_seq, last_seq, last_item_no, last_intake_no }
  for (const [name, value] of Object.entries(expected)) {
    if ((found?.[name] ?? 0) === value) continue
    throw new StoreError(
      'corrupt',
      `${name} should be ${value} and is ${found?.[name] ?? 0}: nothing was stored. Check the source with: custody db check`,
    )
  }
}

/** Row count, and SHA-256 (hex) of all rows in key order; the same on both databases. */
type Digest = { rows: number; sha256: string }

/** Copies one scope's rows of a table into another database. Returns the digest of the rows read. */
async function copyTable(from: ScopedTx, to: ScopedTx, table: ScopedTable): Promise<Digest> {
  const digest = createDigest()
  let gathered: Row[] = []
  for await (const row of keptRows(from, table)) {
    digest.add(row)
    gathered.push(row)
    if (gathered.length === rowsAtOnce(table)) {
      await insertRows(to, table, gathered)
      gathered = []
    }
  }
  await insertRows(to, table, gathered)
  return digest.end()
}

/** Leaves out the API keys in `keysBefore`, by id. */
export async function digestTable(
  tx: ScopedTx,
  table: ScopedTable,
  keysBefore: ReadonlySet<string>,
): Promise<Digest> {
  const digest = createDigest()
  for await (const row of keptRows(tx, table)) {
    if (table !== 'api_keys' || !keysBefore.has(String(row.id))) digest.add(row)
  }
  return digest.end()
}

/** Without leases: they belong to a process, which is not copied. */
async function* keptRows(tx: ScopedTx, table: ScopedTable): AsyncGenerator<Row> {
  for await (const { scope_id: _, ...row } of rowsOf(tx, table, { rowsAtOnce: rowsAtOnce(table) })) {
    yield 'lease_owner' in row ? { ...row, lease_owner: null, lease_until: null } : row
  }
}

/** A stored result of an import can take megabytes, so only a few at once. */
function rowsAtOnce(table: ScopedTable): number {
  return table === 'idempotency' ? 5 : 1000
}

async function insertRows(tx: ScopedTx, table: ScopedTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const values = rows.map((row): SqlValue[] => [tx.scope, ...columns.map((column) => row[column] ?? null)])
  await tx.insert(table, ['scope_id', ...columns], values)
  if (table !== 'items') return
  const texts = rows.map((row) => ({ item_no: Number(row.item_no), text: String(row.search_text) }))
  await searchOf(tx).insert(tx, texts)
}

function createDigest(): { add(row: Row): void; end(): Digest } {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(row) {
      rows += 1
      const columns = Object.keys(row).sort()
      hash.update(`${JSON.stringify(columns.map((column) => [column, plain(row[column] ?? null)]))}\n`)
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  }
}

function plain(value: SqlValue): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}
