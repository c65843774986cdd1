import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import type { Database } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { openPlace } from './fleet-place.ts'
import type { Place } from './fleet-protocol.ts'
import { makeSchema } from './postgres-schema.ts'

/** A migrated database that several processes use at once, with real time and randomness. */
export type SharedDatabase = {
  place: Place
  db: Database
  /** A new partner's scope and key. */
  partner(name: string): Promise<{ scope: Scope; key: string }>
  /** The findings of `db check`. */
  findings(): Promise<unknown[]>
  close(): Promise<void>
}

/** Databases on which the same races run. */
export const sharedDatabases: ReadonlyArray<{ name: string; make(): Promise<SharedDatabase> }> = [
  { name: 'SQLite', make: makeSqlite },
  { name: 'PostgreSQL', make: makePostgres },
]

export async function share(place: Place, dispose: () => void = () => {}): Promise<SharedDatabase> {
  const db = await openPlace(place)
  await migrate(db)
  const sources = {
    clock: () => Date.now(),
    uptime: () => performance.now(),
    random: (bytes: number) => randomBytes(bytes),
  }
  return {
    place,
    db,
    partner: (name) =>
      db.write(async (tx) => {
        const scope = await ensureScope(tx, sources, name, 'sandbox')
        return { scope, key: (await issueKey(tx, sources, scope)).key }
      }),
    findings: () => checkDatabase(db),
    async close() {
      await db.close()
      dispose()
    },
  }
}

async function makeSqlite(): Promise<SharedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'custody-races-'))
  return share({ file: join(folder, 'custody.db') }, () => rmSync(folder, { recursive: true, force: true }))
}

async function makePostgres(): Promise<SharedDatabase> {
  const url = inject('postgresUrl')
  return share({ url, schema: await makeSchema(url) })
}
