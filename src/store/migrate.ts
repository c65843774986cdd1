import { runtime } from '../runtime/runtime.ts'
import { type Database, type Dialect, raw, StoreError, sql, type Tx } from './database.ts'
import { foundation, sqliteSearch } from './migrations/0001-foundation.ts'
import {
  deliveryRanges,
  foldTexts,
  pendingManifests,
  phrases,
  processes,
  sqliteTexts,
  storedResults,
  tenDays,
  texts,
  traces,
  unfinishedWrites,
} from './migrations/0002-to-0010.ts'
import {
  addRules,
  certificates,
  dropVocabularies,
  repeats,
  rules,
  vocabularies,
} from './migrations/0011-to-0014.ts'
import {
  arrivalFiles,
  canonicalCertificates,
  canonicalGraders,
  canonicalise,
  cardFacts,
  cardNumbersAgain,
  namedByAliases,
  namedCertificates,
  replacedKeys,
} from './migrations/0015-to-0022.ts'
import { sqlState } from './postgres/pg-fault.ts'
import { rejectOtherEncodings } from './postgres/pg-requirements.ts'
import { validateRules } from './postgres/pg-rules.ts'
import { ensureSearchIndex } from './postgres/pg-search.ts'
import { readVersion, rejectNewer, schemaVersion } from './schema-version.ts'

/** In order. Never edit a released one. To stop older processes from writing, start by raising every scope's `schema_version`. */
const migrations = [
  foundation,
  processes,
  tenDays,
  texts,
  deliveryRanges,
  phrases,
  traces,
  unfinishedWrites,
  storedResults,
  pendingManifests,
  rules,
  certificates,
  vocabularies,
  repeats,
  canonicalCertificates,
  cardFacts,
  arrivalFiles,
  canonicalGraders,
  namedCertificates,
  namedByAliases,
  replacedKeys,
  cardNumbersAgain,
] as const
migrations.length satisfies typeof schemaVersion

const steps = new Map<string, (tx: Tx) => Promise<void>>([
  [texts, foldTexts],
  [namedByAliases, canonicalise],
  [rules, (tx) => addRules(tx, [...tableNames(migrations.indexOf(rules) + 1), 'schema_version'])],
  [vocabularies, dropVocabularies],
])

const dialectParts: Record<Dialect, Record<string, string>> = {
  sqlite: {
    clustered: 'without rowid',
    clusteredStrict: 'without rowid, strict',
    int: 'int',
    blob: 'blob',
    unlogged: '',
    search: sqliteSearch,
    texts: sqliteTexts,
    eventTypes: "json_extract(w.doc, '$.event_types')",
  },
  postgres: {
    clustered: '',
    clusteredStrict: '',
    int: 'bigint',
    blob: 'bytea',
    unlogged: 'unlogged',
    search: '',
    texts: '',
    eventTypes: "w.doc::json ->> 'event_types'",
  },
}

/** Each migration is one transaction. Returns the versions applied. Throws `StoreError` for a newer schema or encoding fault. */
export async function migrate(db: Database): Promise<number[]> {
  const found = await readVersion(db)
  rejectNewer(found)
  if (found === 0 && db.dialect === 'postgres') await rejectOtherEncodings(db)
  const applied: number[] = []
  for (let version = found + 1; version <= schemaVersion; version++) {
    const isApplied = db.write((tx) => apply(tx, version), { patient: true })
    if (await isApplied.catch(leaveToOwner)) applied.push(version)
  }
  if (db.dialect === 'postgres') await ensureSearchIndex(db)
  if (applied.length > 0) await validateRules(db)
  return applied
}

/** All tables that exist after the migrations up to `version`. */
export function tableNames(version: number = schemaVersion): string[] {
  const dropped = new Set(namesAfter(/^drop table (\w{1,60})/gm, version))
  return namesAfter(/^create (?:\S{1,20} )?table (\w{1,60})/gm, version).filter((name) => !dropped.has(name))
}

function namesAfter(statement: RegExp, version: number): string[] {
  return migrations
    .slice(0, version)
    .flatMap((text) => [...text.matchAll(statement)].map(([, name = '']) => name))
}

function migrationText(version: number, dialect: Dialect): string {
  const text = migrations[version - 1]
  if (text === undefined) throw new RangeError(`no migration ${version}`)
  const whole = text.replace(/\{\{(\w{1,20})\}\}/g, (_, name: string) => dialectParts[dialect][name] ?? '')
  // Order text by its bytes, as SQLite does, regardless of the server's locale.
  return dialect === 'postgres' ? whole.replace(/ text\b/g, ' text collate "C"') : whole
}

async function apply(tx: Tx, version: number): Promise<boolean> {
  await tx.run(
    sql`create table if not exists schema_version (version bigint primary key, applied_at text not null)`,
  )
  // First: a concurrent migration waits here, then finds this one applied.
  const claimed = await tx.run(sql`
    insert into schema_version (version, applied_at) values (${version}, ${new Date(runtime.clock()).toISOString()})
    on conflict (version) do nothing`)
  if (claimed === 0) return false
  for (const statement of statementsOf(migrationText(version, tx.dialect)))
    await tx.run(sql`${raw(statement)}`)
  await steps.get(migrations[version - 1] ?? '')?.(tx)
  if (tx.dialect === 'sqlite') await nameFile(tx, version)
  return true
}

/** The file header, for tools that do not know the schema: 'cust' and the schema version. */
async function nameFile(tx: Tx, version: number): Promise<void> {
  await tx.run(sql`pragma application_id = ${raw(String(0x63757374))}`)
  await tx.run(sql`pragma user_version = ${raw(String(version))}`)
}

/** A user who may not change the schema must ask its owner. */
function leaveToOwner(error: unknown): never {
  if (!(error instanceof StoreError) || sqlState(error.cause) !== '42501') throw error
  throw new StoreError(
    error.fault,
    `${error.message} Have the owner of the database run: custody db migrate`,
    error.cause,
  )
}

function statementsOf(text: string): string[] {
  const code = text.replace(/^[ \t]*--.*$/gm, '')
  return code
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
