import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { openPostgres } from '../../src/store/pg.ts'
import { median, ms, note, report } from './measure.ts'
import { writeCatalog } from './product-data.ts'

const rows = 100_000
const slowdownMax = 6
const turns = 5

/**
 * 100,000 products imported through the whole service, in files as large as the contract lets through, against `psql \copy` of the
 * rows that this made into the same table with the same indexes.
 */
export async function benchImport(url: string, folder: string): Promise<void> {
  if (spawnSync('psql', ['--version']).status !== 0) {
    return note('product import', 'not measured: psql is not on this machine')
  }
  const files = await writeUploads(folder)
  const copied = join(folder, 'products.copy')
  const times: [number[], number[]] = [[], []]
  for (let turn = 0; turn <= turns; turn++) {
    const schema = `import_${turn}`
    psql(url, `create schema ${schema}`)
    const ours = await importAll(url, schema, files)
    psql(url, `\\copy ${schema}.products to '${copied}'`)
    psql(url, `create table ${schema}.again (like ${schema}.products including all)`)
    const started = performance.now()
    psql(url, `\\copy ${schema}.again from '${copied}'`)
    const theirs = performance.now() - started
    if (turn > 0) {
      times[0].push(ours)
      times[1].push(theirs)
    }
    psql(url, `drop schema ${schema} cascade`)
  }
  rmSync(copied)
  const [our, their] = [median(times[0]), median(times[1])]
  const measured = `${(our / their).toFixed(2)}x (${ms(our)}, \\copy ${ms(their)})`
  report('import of 100,000 products', measured, our / their, slowdownMax, 'x')
}

/** Two files of half the rows each. */
async function writeUploads(folder: string): Promise<Uint8Array[]> {
  const whole = join(folder, 'catalog.csv')
  await writeCatalog(whole, rows)
  const [head = '', ...lines] = readFileSync(whole, 'utf8').trimEnd().split('\n')
  return [lines.slice(0, rows / 2), lines.slice(rows / 2)].map((part) =>
    Buffer.from([head, ...part].join('\n')),
  )
}

async function importAll(url: string, schema: string, files: readonly Uint8Array[]): Promise<number> {
  const db = await openPostgres(url, { schema })
  const { service, close } = await openEmbedded({ db, partner: 'Bench', environment: 'sandbox' })
  const client = createClient({
    transport: service.handle,
    baseUrl: 'https://custody.example/v1',
    newIdempotencyKey: () => crypto.randomUUID(),
  })
  const started = performance.now()
  for (const file of files) {
    const { data } = await client.importProductsCsv({ form: { file } })
    if (data.totals.created !== rows / 2) throw new Error(`${data.totals.created} were made`)
  }
  const took = performance.now() - started
  await close()
  return took
}

function psql(url: string, command: string): void {
  const child = spawnSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', command, url], {
    encoding: 'utf8',
  })
  if (child.status !== 0) throw new Error(child.stderr)
}
