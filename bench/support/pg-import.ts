import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { addressIn } from '../../test/support/address-in.ts'
import { median, ms, note, report } from './measure.ts'
import { writeCatalog } from './product-data.ts'

const rows = 100_000
const slowdownMax = 6
const turns = 5

/** How the same rows get into the same table without custody. */
type Copier = {
  name: string
  run(statement: string): Promise<void>
  out(table: string, file: string): Promise<void>
  in(table: string, file: string): Promise<void>
  close(): Promise<void>
}

/**
 * 100,000 products imported through the whole service, in files as large as the contract allows, against `psql \copy` of the
 * resulting rows into the same table with the same indexes.
 */
export async function benchImport(url: string, folder: string): Promise<void> {
  const files = await writeUploads(folder)
  const copied = join(folder, 'products.copy')
  const copier = hasPsql() ? psqlCopier(url) : await serverCopier(url, folder)
  const times: [number[], number[]] = [[], []]
  for (let turn = 0; turn <= turns; turn++) {
    const schema = `import_${turn}`
    await copier.run(`create schema ${schema}`)
    const ours = await importAll(url, schema, files)
    await copier.out(`${schema}.products`, copied)
    await copier.run(`create table ${schema}.again (like ${schema}.products including all)`)
    const started = performance.now()
    await copier.in(`${schema}.again`, copied)
    const theirs = performance.now() - started
    if (turn > 0) {
      times[0].push(ours)
      times[1].push(theirs)
    }
    await copier.run(`drop schema ${schema} cascade`)
  }
  await copier.close()
  rmSync(copied)
  const [our, their] = [median(times[0]), median(times[1])]
  const measured = `${(our / their).toFixed(2)}x (${ms(our)}, ${copier.name} ${ms(their)})`
  // The limit applies to psql; a server that reads from its own disk is faster.
  if (!hasPsql()) return note('import of 100,000 products', measured)
  report('import of 100,000 products', measured, our / their, slowdownMax, 'x')
}

/** Two files with half of the rows each. */
async function writeUploads(folder: string): Promise<Uint8Array[]> {
  const files = [0, rows / 2].map(async (from) => {
    const file = join(folder, `catalog-${from}.csv`)
    await writeCatalog(file, rows / 2, from)
    return readFileSync(file)
  })
  return Promise.all(files)
}

async function importAll(url: string, schema: string, files: readonly Uint8Array[]): Promise<number> {
  const db = await openPostgres(addressIn(url, schema))
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

function hasPsql(): boolean {
  return spawnSync('psql', ['--version']).status === 0
}

function psqlCopier(url: string): Copier {
  const run = async (command: string): Promise<void> => {
    const args = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', command, url]
    const child = spawnSync('psql', args, { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(child.stderr)
  }
  return {
    name: '\\copy',
    run,
    out: (table, file) => run(`\\copy ${table} to '${file}'`),
    in: (table, file) => run(`\\copy ${table} from '${file}'`),
    close: async () => {},
  }
}

/** Without psql, the server reads the file itself, which is faster than `\copy`. */
async function serverCopier(url: string, folder: string): Promise<Copier> {
  // The server runs as another user.
  chmodSync(folder, 0o777)
  const db = await openPostgres(url, { poolSize: 1 })
  const run = async (statement: string): Promise<void> => void (await db.pool.query(statement))
  return {
    name: 'copy by the server, for want of psql,',
    run,
    out: (table, file) => run(`copy ${table} to '${file}'`),
    in: (table, file) => run(`copy ${table} from '${file}'`),
    close: () => db.close(),
  }
}
