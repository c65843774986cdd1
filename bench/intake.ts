import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSettings } from '../src/engine/context.ts'
import { intakeArrivals } from '../src/engine/intake/warehouse-intake.ts'
import { createProduct } from '../src/engine/items/products.ts'
import { addLines } from '../src/engine/manifests/manifest-submission.ts'
import { ensureScope } from '../src/engine/partners.ts'
import { inUnitOfWork } from '../src/engine/unit-of-work.ts'
import { runtime } from '../src/runtime/runtime.ts'
import { type Database, sql } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import type { Scope } from '../src/store/tables/scopes.ts'
import { arrivalFor, catalogProducts, expectedLine } from './support/line-data.ts'

/**
 * Intake of 10,000 arrivals against 100,000 open lines, a third each by certificate, SKU and description. The limit is
 * 1,000 arrivals a second, in process, on a SQLite file.
 */
const limit = 1000
const openLines = 100_000
const linesPerManifest = 2000
const arrivals = 10_000

const workplace = { sources: runtime, settings: defaultSettings }
const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const db = openSqlite(join(folder, 'custody.db'))
try {
  await migrate(db)
  const scope = await db.write((tx) => ensureScope(tx, runtime, 'Bench', 'sandbox'))
  await prepare(db, scope)
  const rate = await measure(db, scope, 0, arrivals, arrivals)
  const verdict = rate >= limit ? 'ok' : 'TOO SLOW'
  console.log(`${(rate / limit).toFixed(2)}x of the limit of ${limit} a second: ${verdict}`)
  if (rate < limit) process.exitCode = 1
  await measure(db, scope, 1, arrivals, 100)
  const single = await measure(db, scope, 2, arrivals / 10, 1)
  const bare = await bareCommits(arrivals / 10)
  console.log(
    `transactions of one row: ${Math.round(bare)} a second, ${(bare / single).toFixed(2)}x of these`,
  )
} finally {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}

async function prepare(database: Database, scope: Scope): Promise<void> {
  await inUnitOfWork({ ...workplace, db: database }, scope, async (work) => {
    for (const body of catalogProducts()) await createProduct(work, { body })
  })
  const started = performance.now()
  for (let from = 0; from < openLines; from += linesPerManifest) {
    const lines = Array.from({ length: linesPerManifest }, (_, at) => expectedLine(from + at))
    await inUnitOfWork({ ...workplace, db: database }, scope, (work) =>
      addLines(work, { created: [], errors: [] }, lines, { reference: `PO-${from}` }),
    )
  }
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${openLines} lines submitted in ${seconds.toFixed(1)} s: ${Math.round(openLines / seconds)} a second`,
  )
}

/** Arrivals for a tenth of all lines, spread over them; `at` chooses another tenth. Returns arrivals per second. */
async function measure(
  database: Database,
  scope: Scope,
  at: number,
  count: number,
  batch: number,
): Promise<number> {
  const list = Array.from({ length: count }, (_, n) => arrivalFor((n * 10 + at) % openLines))
  let matched = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (let from = 0; from < count; from += batch) {
    const some = list.slice(from, from + batch)
    const intakes = await inUnitOfWork({ ...workplace, db: database }, scope, (work) =>
      intakeArrivals(work, some, { manifestId: null }),
    )
    matched += intakes.filter((intake) => !intake.includes('"manifest_line_id":null')).length
  }
  const rate = count / ((performance.now() - started) / 1000)
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${count} arrivals, ${batch} in a transaction: ${Math.round(rate)} a second ` +
      `(${Math.round((count * 1e6) / (user + system))} a second of CPU time; ${matched} of them matched)`,
  )
  return rate
}

/** The disk's limit: transactions per second that write one row, one after the other. */
async function bareCommits(count: number): Promise<number> {
  const bare = openSqlite(join(folder, 'bare.db'))
  await bare.write((tx) => tx.change(sql`create table rows (n integer)`))
  const started = performance.now()
  for (let n = 0; n < count; n++) await bare.write((tx) => tx.change(sql`insert into rows values (${n})`))
  const rate = count / ((performance.now() - started) / 1000)
  await bare.close()
  return rate
}
