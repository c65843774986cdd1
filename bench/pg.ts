import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../src/store/postgres/pg.ts'
import { benchFar } from './support/pg-far.ts'
import { benchPgHttp } from './support/pg-http.ts'
import { benchImport } from './support/pg-import.ts'
import { benchPgLists } from './support/pg-lists.ts'
import { benchProcesses } from './support/pg-processes.ts'
import { startBenchPostgres } from './support/pg-server.ts'

/**
 * `npm run bench:pg [-- http import lists processes far]`: PostgreSQL, each figure against a limit measured in the same run.
 */
const benches = {
  http: benchPgHttp,
  import: benchImport,
  lists: benchPgLists,
  processes: benchProcesses,
  far: benchFar,
}

const wanted = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'custody-bench-pg-'))
const server = await startBenchPostgres()
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length === 0 || wanted.includes(name)) await inDatabase(`bench_${name}`, bench)
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Each in its own database, which is dropped afterwards, so that none slows the next. */
async function inDatabase(
  name: string,
  bench: (url: string, folder: string) => Promise<void>,
): Promise<void> {
  const admin = await openPostgres(server.url, { poolSize: 1 })
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  await admin.pool.query(`create database ${name} template template0 encoding 'UTF8'`)
  try {
    await bench(url, folder)
  } finally {
    await admin.pool.query(`drop database ${name} with (force)`)
    await admin.close()
  }
}
