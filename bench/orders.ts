import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../src/engine/partners.ts'
import { runtime } from '../src/runtime/runtime.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { listScopes } from '../src/store/tables/scopes.ts'
import { program } from './support/http-program.ts'
import { median, note, report } from './support/measure.ts'
import { fillShelves, writeOrders } from './support/order-data.ts'
import { serveOn } from './support/pinned.ts'
import { timePlainOrders } from './support/plain-orders.ts'
import { writeCatalog } from './support/product-data.ts'
import { isolatedEnvironment, peakMemory, timeProcess } from './support/whole-process.ts'

/**
 * `custody fulfillments import` of 50,000 orders as a whole process, against `custody products import` of 50,000 products in
 * the same run; both again over their results; and 5,000 orders of three lines each over HTTP. `-- 5` runs five pairs.
 */
const rows = 50_000
const groupedOrders = 5000
const pairs = Number(process.argv[2] ?? 1)

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const used = peakMemory(folder)
const catalog = join(folder, 'catalog.csv')
const orders = join(folder, 'orders.csv')
const grouped = join(folder, 'grouped.csv')
const shelves = join(folder, 'shelves.db')
try {
  await writeCatalog(catalog, rows)
  await writeOrders(orders, rows)
  await writeOrders(grouped, groupedOrders, 3)
  await makeShelves()
  await importsInPairs()
  await groupedOverHttp()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Units that every run orders. */
async function makeShelves(): Promise<void> {
  makeDatabase(shelves)
  const db = openSqlite(shelves)
  await fillShelves(db, rows + 2000)
  await db.close()
}

function makeDatabase(database: string): void {
  custody(database, ['sandbox', 'reset', '--no-seed', '--yes'])
}

/** Milliseconds, and seconds of CPU, of a whole process. */
function custody(database: string, args: readonly string[]): { ms: number; cpuSeconds: number; MiB: number } {
  const env = { ...isolatedEnvironment(`${database}.home`, database), ...used.env }
  const ms = timeProcess(process.execPath, [program, ...args], { env, cwd: folder })
  return { ms, cpuSeconds: used.cpuSeconds(), MiB: used.read() }
}

async function importsInPairs(): Promise<void> {
  const found: Array<Record<'orders' | 'plain' | 'cpu' | 'again' | 'againProducts', number>> = []
  let peak = 0
  for (let pair = 0; pair < pairs; pair++) {
    const [products, ordered, plain] = ['products', 'orders', 'plain'].map((name) =>
      join(folder, `${name}-${pair}.db`),
    ) as [string, string, string]
    makeDatabase(products)
    const first = custody(products, ['products', 'import', catalog])
    const firstAgain = custody(products, ['products', 'import', catalog])
    copyFileSync(shelves, ordered)
    const second = custody(ordered, ['fulfillments', 'import', orders])
    const secondAgain = custody(ordered, ['fulfillments', 'import', orders])
    copyFileSync(shelves, plain)
    const bare = timePlainOrders(ordered, plain)
    peak = Math.max(peak, second.MiB)
    note(
      `pair ${pair + 1}`,
      [first, firstAgain, second, secondAgain, bare]
        .map(({ ms, cpuSeconds }) => `${(ms / 1000).toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)} s)`)
        .join(', '),
    )
    found.push({
      orders: second.ms / first.ms,
      cpu: second.cpuSeconds / first.cpuSeconds,
      plain: second.cpuSeconds / bare.cpuSeconds,
      again: secondAgain.ms / second.ms,
      againProducts: firstAgain.ms / first.ms,
    })
  }
  const ratio = (name: string, key: keyof (typeof found)[number], limit: number): void => {
    const all = found.map((each) => each[key]).sort((a, b) => a - b)
    const spread = `${all[0]?.toFixed(2)} to ${all.at(-1)?.toFixed(2)}`
    report(name, `${median(all).toFixed(2)}x (${spread})`, median(all), limit, 'x')
  }
  ratio('50,000 orders : products', 'orders', 2.5)
  ratio('  the same in CPU', 'cpu', 3)
  ratio('orders : bare loop, CPU', 'plain', 3)
  ratio('finished import of orders, again', 'again', 0.4)
  ratio('finished import of products, again', 'againProducts', 0.4)
  report('memory of 50,000 orders', `${peak.toFixed(0)} MiB`, peak, 400, ' MiB')
}

async function groupedOverHttp(): Promise<void> {
  const database = join(folder, 'grouped.db')
  copyFileSync(shelves, database)
  const db = openSqlite(database)
  const [scope] = await db.read(listScopes)
  if (!scope) throw new Error('the database has no partner')
  const { key } = await db.write((tx) => issueKey(tx, runtime, scope))
  await db.close()
  const served = await serveOn(0, [
    program,
    'serve',
    '--database',
    database,
    '--port',
    '0',
    '--rate-limit',
    'off',
  ])
  const { CUSTODY_DATABASE: _, ...env } = isolatedEnvironment(`${database}.home`, '')
  const args = ['fulfillments', 'import', grouped, '--ship-by', 'order', '--base-url', `${served.origin}/v1`]
  try {
    const ms = timeProcess(process.execPath, [program, ...args], { env: { ...env, CUSTODY_API_KEY: key } })
    const cpu = `, ${served.cpuSeconds().toFixed(1)} s of CPU in the service`
    report('5,000 orders of 3 lines over HTTP', `${(ms / 1000).toFixed(1)} s${cpu}`, ms / 1000, 30, ' s')
  } finally {
    await served.stop()
  }
}
