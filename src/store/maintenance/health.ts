import { inTime } from '../../runtime/runtime.ts'
import { type Database, StoreError, type StoreFault, sql } from '../database.ts'
import { rejectNewer } from '../schema-version.ts'
import { checkSpace } from '../tables/leases.ts'

/** Milliseconds: longer than a healthy database is ever busy, shorter than monitors wait. */
const withinMsDefault = 2_500
const ask = sql`select max(schema_version) as version from scopes`
const askPostgres = sql`
  select max(schema_version) as version, current_setting('transaction_read_only') as read_only from scopes`

/** `hasFailedWrite`: a write has failed because of the environment, such as a full disk, and no health check has succeeded since. */
type NotedDatabase = Database & { hasFailedWrite: boolean }

/** Temporary or unrelated to the disk: the next write may well succeed. */
const harmless = new Set<StoreFault>(['busy', 'unknown', 'newer_schema'])

export function noteWriteFaults(db: Database): NotedDatabase {
  const noted: NotedDatabase = {
    ...db,
    hasFailedWrite: false,
    write: (fn, how) =>
      db.write(fn, how).catch((error) => {
        if (error instanceof StoreError && !harmless.has(error.fault)) noted.hasFailedWrite = true
        throw error
      }),
  }
  return noted
}

/** Also false for a hung server, a standby, or a newer schema. Anyone may ask, so it tries a write only if one would probably fail. */
export async function isWell(
  db: Database & Partial<NotedDatabase>,
  withinMs = withinMsDefault,
): Promise<boolean> {
  return inTime(isResponsive(db), withinMs).catch(() => false)
}

async function isResponsive(db: Database & Partial<NotedDatabase>): Promise<boolean> {
  const query = db.dialect === 'postgres' ? askPostgres : ask
  const row = await db.read((tx) => tx.get<{ version: number; read_only: string }>(query), { single: true })
  rejectNewer(row?.version ?? 0)
  if (row?.read_only === 'on' || db.hasFailedWrite) {
    await checkSpace(db)
    db.hasFailedWrite = false
  }
  return true
}
