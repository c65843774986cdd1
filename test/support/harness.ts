import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Call, Reply } from '../../src/contract/call.ts'
import type { Environment } from '../../src/contract/enums.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { type ClockAndRandom, defaultSettings, type Settings } from '../../src/engine/context.ts'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import type { ServiceOptions } from '../../src/service/context.ts'
import { createService, type Service } from '../../src/service/service.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { checkDatabase, type ScopeFinding } from '../../src/store/maintenance/check.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { PgDatabase } from '../../src/store/postgres/pg.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { listScopes, type Scope } from '../../src/store/tables/scopes.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { currentFile } from './current-file.ts'
import { withDocumentedHeaders } from './documented-headers.ts'
import { everyEvent } from './every-event.ts'
import { openFreshSchema } from './postgres-schema.ts'
import { isLong } from './soak.ts'

/** A service with its own database, clock, and identifiers; nothing in it is real time or random. */
export type Harness = {
  /** The first partner's client, with its key. */
  client: Client
  /** A client of a second partner in the same environment. */
  stranger: Client
  scope: Scope
  strangerScope: Scope
  key: string
  db: Database
  service: Service
  sources: ClockAndRandom
  /** Advances the machine's time. */
  pass(ms: number): void
  /** Sets the machine's clock forward or back, while no time passes. */
  jump(ms: number): void
  /** A raw call, for what the typed client cannot express. */
  call(call: Partial<Call>): Promise<Reply>
  /** Every event of the first partner, oldest first. */
  events(): Promise<WebhookEvent[]>
  /** What `db check` finds, except in the scopes of earlier harnesses in the same schema. */
  findings(): Promise<ScopeFinding[]>
  close(): Promise<void>
}

export type HarnessOptions = {
  environment?: Environment
  settings?: Partial<Settings>
  service?: Partial<ServiceOptions>
  seed?: number
  startAt?: string
}

export const baseUrl = 'https://custody.test/v1'

/** Every database that the product runs on; `open` gives one that is migrated and empty. */
export const databases: ReadonlyArray<{
  name: string
  open: () => Promise<{ db: Database; dispose(): void }>
}> = [
  { name: 'SQLite', open: openTemporarySqlite },
  { name: 'PostgreSQL', open: openTemporaryPostgres },
]

/**
 * For what the engine decides, whatever the database: in `npm test` SQLite alone, in a soak every database. Each query runs over
 * PostgreSQL in another test of `npm test`, though not with every number of columns.
 */
export const usualDatabases = databases.filter(({ name }) => isLong || name === 'SQLite')

/** For a test of a group over every database, if other tests of `npm test` run its statements over PostgreSQL. */
export const usualTest = (database: (typeof databases)[number]) =>
  test.runIf(usualDatabases.includes(database))

/** For tests that undo migrations: SQLite lets only the connection that made them edit the schema. */
export const editableDatabases = databases.map((one) =>
  one.name === 'SQLite' ? { ...one, open: () => openIn(temporaryFolder()) } : one,
)

export async function startHarness(
  database: (typeof databases)[number],
  options: HarnessOptions = {},
): Promise<Harness> {
  const { db, dispose } = await database.open()
  if (db.dialect === 'postgres') harnesses += 1
  const environment = options.environment ?? 'sandbox'
  const time = { now: Date.parse(options.startAt ?? '2026-05-01T09:00:00.000Z'), uptime: 0 }
  const sources: ClockAndRandom = {
    clock: () => time.now,
    uptime: () => time.uptime,
    random: seededRandom((options.seed ?? 1) + harnesses * 1000),
  }
  const settings = { ...defaultSettings, ...options.settings }
  const make = (partner: string) =>
    db.write(async (tx) => {
      const scope = await ensureScope(tx, sources, partner, environment)
      return { scope, key: (await issueKey(tx, sources, scope)).key }
    })
  const number = db.dialect === 'postgres' ? ` ${harnesses}` : ''
  const first = await make(`Northgate Cards${number}`)
  const second = await make(`Harbor Collectibles${number}`)
  const created = createService({ db, environment, sources, settings, ...options.service })
  const service = { ...created, handle: withDocumentedHeaders(created.handle) }
  const client = clientWith(service, first.key, sources)
  return {
    client,
    stranger: clientWith(service, second.key, sources),
    scope: first.scope,
    strangerScope: second.scope,
    key: first.key,
    db,
    service,
    sources,
    pass: (ms) => {
      time.now += ms
      time.uptime += Math.max(0, ms)
    },
    jump: (ms) => {
      time.now += ms
    },
    call: (call) => service.handle(callWith(first.key, call)),
    events: () => everyEvent(client),
    findings: () => checkDatabase(without(db, first.scope.id)),
    async close() {
      await db.close()
      dispose()
    },
  }
}

/** The database without the scopes before this one. */
function without(db: Database, scopeId: number): Database {
  const scopes = async (tx: Tx) => (await listScopes(tx)).filter(({ id }) => id >= scopeId)
  return {
    ...db,
    read: (fn, how) => db.read(fn === (listScopes as unknown) ? (scopes as typeof fn) : fn, how),
  }
}

/** A client with this key; every POST gets its own Idempotency-Key. */
export function clientWith(service: Service, key: string, sources: ClockAndRandom): Client {
  return createClient({
    transport: (call) => service.handle({ ...call, headers: { 'x-api-key': key, ...call.headers } }),
    baseUrl,
    newIdempotencyKey: () => Buffer.from(sources.random(12)).toString('hex'),
  })
}

function callWith(key: string, call: Partial<Call>): Call {
  return {
    operation: undefined,
    params: {},
    query: [],
    body: async () => ({ kind: 'empty' }),
    baseUrl,
    ...call,
    headers: { 'x-api-key': key, ...call.headers },
  }
}

const sqliteFile = 'custody.db'
let migrated: Promise<string> | undefined

/** A copy of a database that is migrated once per process, because that takes longer than most tests. */
async function openTemporarySqlite(): Promise<{ db: Database; dispose(): void }> {
  migrated ??= migratedFile()
  const folder = temporaryFolder()
  copyFileSync(await migrated, join(folder, sqliteFile))
  return openIn(folder)
}

async function migratedFile(): Promise<string> {
  const folder = mkdtempSync(join(inject('made'), 'migrated-'))
  await (await openIn(folder)).db.close()
  return join(folder, sqliteFile)
}

async function openIn(folder: string): Promise<{ db: Database; dispose(): void }> {
  const db = openSqlite(join(folder, sqliteFile))
  await migrate(db)
  return { db, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'custody-test-'))
}

let shared: { db: Promise<PgDatabase>; file: number } | undefined
let harnesses = 0

/**
 * One migrated schema per test process, empty at the start of each test file; every harness of the file has its own partners
 * in it, as in a shared service.
 */
async function openTemporaryPostgres(): Promise<{ db: Database; dispose(): void }> {
  const file = currentFile()
  if (shared?.file !== file) {
    harnesses = 0
    shared = { db: shared ? emptied(shared.db) : openMigratedSchema(), file }
  }
  return { db: { ...(await shared.db), close: async () => {} }, dispose: () => {} }
}

/** Much faster than creating and migrating another, which is needed only after a test that dropped the rules. */
async function emptied(before: Promise<PgDatabase>): Promise<PgDatabase> {
  const db = await before
  const rules =
    "select 1 from pg_constraint where contype = 'c' and connamespace = current_schema::regnamespace"
  if ((await db.pool.query(rules)).rowCount === 0) return openMigratedSchema()
  const { rows } = await db.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema and tablename <> 'schema_version'",
  )
  if (rows.length > 0) await db.pool.query(`truncate ${rows.map(({ name }) => name).join(', ')}`)
  return db
}

async function openMigratedSchema(): Promise<PgDatabase> {
  const db = await openFreshSchema({ poolSize: 5 })
  await migrate(db)
  return db
}
