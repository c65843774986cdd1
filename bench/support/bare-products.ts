import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * The statements of `POST /products` in a bare loop: prepared once, durable, each round with another SKU and key, nothing
 * else. Prints rounds per second. Arguments: database, file of the statements, seconds, a name for this run.
 */
type SqlValue = string | number | null
/** `blob`: text that is stored as bytes. */
type Value = SqlValue | { blob: string }
type Statement = { text: string; values: Value[] }

const [file = '', statementsFile = '', seconds = '2', run = ''] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec(
  'pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -65536; pragma temp_store = memory',
)
const prepared = (JSON.parse(readFileSync(statementsFile, 'utf8')) as Statement[]).map(({ text, values }) => {
  return { statement: db.prepare(text), values }
})
const started = performance.now()
const until = started + Number(seconds) * 1000
let made = 0
while (performance.now() < until) {
  made += 1
  const name = `${run}-${made}`
  db.exec('begin immediate')
  for (const { statement, values } of prepared) statement.all(...values.map((value) => fresh(value, name)))
  db.exec('commit')
}
console.log(JSON.stringify({ average: made / ((performance.now() - started) / 1000) }))
db.close()

/** The SKU, the identifiers, and the key of another product. */
function fresh(value: Value, name: string): SqlValue | Buffer {
  if (typeof value === 'object' && value !== null) return Buffer.from(String(fresh(value.blob, name)))
  if (typeof value !== 'string') return value
  if (value === 'KEY-0') return `KEY-${name}`
  // The document contains identifiers too, which the database compares with the columns.
  return value
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.slice(0, 20) + name)
    .replaceAll('SKU-0', `SKU-${name}`)
}
