import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '../../src/contract/call.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { createService } from '../../src/service/service.ts'
import type { Database, SqlValue, Tx } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { median, note, report } from './measure.ts'
import { answerOf, serveOn } from './pinned.ts'

const rounds = 7
const seconds = 2
const program = join(import.meta.dirname, '..', '..', 'bin', 'custody.js')

type Statement = { text: string; values: SqlValue[] }

/** `POST /products`, each durable with its own Idempotency-Key, against the same statements in a bare loop. */
export async function benchWrites(folder: string): Promise<void> {
  const file = join(folder, 'writes.db')
  const { key, statements } = await prepare(file)
  const rate = ['--rate-limit', '900000:9000000']
  const served = await serveOn(0, [program, 'serve', '--database', file, '--port', '0', ...rate])
  const bareFile = join(folder, 'bare-writes.db')
  await prepare(bareFile)
  const statementsFile = join(folder, 'statements.json')
  // The stored result's bytes as text of the same length, because JSON has no bytes.
  writeFileSync(
    statementsFile,
    JSON.stringify(statements, (_, value) => (isBytes(value) ? { blob: textOf(value) } : value)),
  )
  try {
    const pairs: Array<[number, number]> = []
    for (let round = 0; round <= rounds; round++) {
      const load = [join(import.meta.dirname, 'post-products.ts'), served.origin, key, '10', String(seconds)]
      const { requests, non2xx } = await answerOf<{ requests: { average: number }; non2xx: number }>(1, load)
      if (non2xx > 0) throw new Error(`${non2xx} were not created`)
      const loop = [join(import.meta.dirname, 'bare-products.ts'), bareFile, statementsFile]
      const bare = await answerOf<{ average: number }>(0, [...loop, String(seconds), String(round)])
      if (round > 0) pairs.push([requests.average, bare.average])
    }
    const ratio = median(pairs.map(([our, their]) => their / our))
    note('POST /products, bare loop', `${median(pairs.map(([, their]) => their)).toFixed(0)} a second`)
    const our = median(pairs.map(([found]) => found))
    report(
      'POST /products, bare / custody',
      `${ratio.toFixed(2)} (${our.toFixed(0)} requests/s)`,
      ratio,
      2,
      '',
    )
  } finally {
    await served.stop()
  }
}

/** A database with a key, and the statements that one `POST /products` runs between begin and commit. */
async function prepare(file: string): Promise<{ key: string; statements: Statement[] }> {
  const db = openSqlite(file)
  await migrate(db)
  const scope = await db.write((tx) => ensureScope(tx, runtime, 'Bench', 'sandbox'))
  const { key } = await db.write((tx) => issueKey(tx, runtime, scope))
  const statements: Statement[] = []
  const service = createService({
    db: recording(db, statements),
    environment: 'sandbox',
    sources: runtime,
    settings: defaultSettings,
    principal: scope,
  })
  const reply = await service.handle(productCall())
  if (reply.status !== 201) throw new Error(reply.body)
  await db.close()
  return { key, statements }
}

function productCall(): Call {
  const text = JSON.stringify({
    name: 'Elite Trainer Box',
    sku: 'SKU-0',
    dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
    weight: { value: 30, unit: 'oz' },
  })
  return {
    operation: 'createProduct',
    params: {},
    query: [],
    headers: { 'idempotency-key': 'KEY-0' },
    body: async () => ({ kind: 'json', text }),
    baseUrl: 'https://custody.example/v1',
  }
}

/** Records what a write's transaction runs. */
function recording(db: Database, statements: Statement[]): Database {
  const noting = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name: keyof Tx) {
        const method = target[name]
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          statements.push(...statementsOf(name, args))
          return (method as (...given: unknown[]) => unknown)(...args)
        }
      },
    })
  return { ...db, write: (fn, how) => db.write((tx) => fn(noting(tx)), how) }
}

function statementsOf(name: keyof Tx, args: unknown[]): Statement[] {
  if (name !== 'insert') {
    const { sql, values } = args[0] as { sql: string; values: SqlValue[] }
    return [{ text: sql, values }]
  }
  const [table, columns, rows, skip] = args as [string, string[], SqlValue[][], boolean | undefined]
  const marks = columns.map(() => '?').join(', ')
  const text = `insert into ${table} (${columns.join(', ')}) values (${marks})${skip ? ' on conflict do nothing' : ''}`
  return rows.map((values) => ({ text, values }))
}

function isBytes(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
}

function textOf({ data }: { data: number[] }): string {
  return Buffer.from(data).toString()
}
