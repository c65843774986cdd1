import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureScope, issueKey } from '../src/engine/partners.ts'
import { runtime } from '../src/runtime/runtime.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { fillWithItems } from './support/item-database.ts'
import { median, ms, report } from './support/measure.ts'
import { serve } from './support/processes.ts'
import { builtProgram, isolatedEnvironment, timeProcess } from './support/whole-process.ts'

/**
 * Whole processes, from start to end, against a bare Node.js: `custody --version` at most 1.4 times as long, any other command
 * that reads at most 1.8 times, over a service on this machine at most 2.7 times; loading, starting, and stopping a test's own
 * service (`custody/testing`) at most 4 times, 150 ms if a bare start takes 35.
 */
const limits = { version: 1.4, embedded: 1.8, http: 2.7, testing: 4 }
const items = 10_000
const manyPairs = 40
const pairs = 15

type Environment = Record<string, string>

const overTheLarge = [
  ['items', 'ls', '--json'],
  ['items', 'ls', '--status', 'available'],
  ['items', 'summary'],
  ['inventory', 'ls'],
  ['db', 'stats'],
]

const overHttp = [
  ['items', 'ls'],
  ['items', 'summary'],
  ['inventory', 'ls'],
  ['manifests', 'ls'],
  ['events', 'tail'],
]

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const program = builtProgram()
try {
  await compareAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compareAll(): Promise<void> {
  const database = join(folder, 'custody.db')
  const key = await fill(database)
  const large = isolatedEnvironment(folder, database)
  compare(program, ['--version'], limits.version, large, manyPairs)
  compare(program, ['items', 'ls'], limits.embedded, large, manyPairs)
  for (const command of overTheLarge) compare(program, command, limits.embedded, large, pairs)
  const sample = isolatedEnvironment(folder, join(folder, 'sample.db'))
  compareSample(program, sample)
  const testing = "require('custody/testing').startCustody().then((custody) => custody.close())"
  compareProcess('custody/testing, start and end', ['-e', testing], limits.testing, large, pairs)
  const flags = ['--database', database, '--port', '0', '--rate-limit', 'off']
  const served = await serve([program, 'serve', ...flags], 'ignore')
  const target = { CUSTODY_DATABASE: '', CUSTODY_BASE_URL: served.origin, CUSTODY_API_KEY: key }
  for (const command of overHttp) {
    compare(program, command, limits.http, { ...large, ...target }, pairs, 'HTTP ')
  }
  await served.stop()
}

/** A partner with many items, a product, and a key. */
async function fill(database: string): Promise<string> {
  const db = openSqlite(database)
  await fillWithItems(db, items, 'Sandbox')
  const key = await db.write(async (tx) => {
    const scope = await ensureScope(tx, runtime, 'Sandbox', 'sandbox')
    return (await issueKey(tx, runtime, scope)).key
  })
  await db.close()
  return key
}

/** All other commands that only read, over the sample data, which has something of each kind. */
function compareSample(program: string, env: Environment): void {
  const first = (noun: string, column: string): string =>
    printed(program, [noun, 'ls', '--limit', '1', '--columns', column, '--no-header'], env)
  timeProcess(process.execPath, [program, 'sandbox', 'seed'], { env })
  timeProcess(process.execPath, [program, 'init', '--database', 'b.db', '--name', 'bench', '--no-use'], {
    cwd: folder,
    env,
  })
  const commands = [
    ['help'],
    ['help', 'items', 'ls'],
    ['help', 'exit-codes'],
    ['completion', 'bash'],
    ['__complete', '--', 'items', 'ls', '--status', '.a'],
    ['profiles', 'ls'],
    ['profiles', 'show', 'bench'],
    ['whoami'],
    ['openapi'],
    ['manifests', 'ls'],
    ['manifests', 'show', 'PO-1041'],
    ['manifests', 'report', 'PO-1041'],
    ['products', 'ls'],
    ['products', 'show', first('products', 'sku')],
    ['items', 'show', first('items', 'qid')],
    ['intakes', 'ls'],
    ['fulfillments', 'ls'],
    ['fulfillments', 'show', first('fulfillments', 'id')],
    ['transfers', 'ls'],
    ['transfers', 'show', first('transfers', 'id')],
    ['events', 'ls'],
    ['events', 'tail'],
    ['events', 'show', first('events', 'id')],
    ['doctor'],
    ['webhooks', 'ls'],
    ['sandbox', 'clock'],
    ['admin', 'partners', 'ls'],
    ['admin', 'keys', 'ls'],
  ]
  for (const command of commands) compare(program, command, limits.embedded, env, pairs)
}

function printed(program: string, command: string[], env: Environment): string {
  return spawnSync(process.execPath, [program, ...command], { env, encoding: 'utf8' }).stdout.trim()
}

/** In pairs, so that other load affects both alike; the first pair warms the file cache. */
function compare(
  program: string,
  command: string[],
  limit: number,
  env: Environment,
  pairs: number,
  how = '',
): void {
  const name = `${how}custody ${command.join(' ').replace(/[\w-]{36}/, 'ID')}`.slice(0, 35)
  compareProcess(name, [program, ...command], limit, env, pairs)
}

function compareProcess(name: string, args: string[], limit: number, env: Environment, pairs: number): void {
  const times: Array<[number, number]> = []
  for (let pair = 0; pair <= pairs; pair++) {
    const bare = timeProcess(process.execPath, ['-e', '0'], { env })
    const custody = timeProcess(process.execPath, args, { env })
    if (pair > 0) times.push([custody, bare])
  }
  const ratio = median(times.map(([custody, bare]) => custody / bare))
  const [custody, bare] = [median(times.map((pair) => pair[0])), median(times.map((pair) => pair[1]))]
  const measured = `${ratio.toFixed(2)}x (${ms(custody)} : ${ms(bare)})`
  report(name, measured, ratio, limit, 'x')
}
