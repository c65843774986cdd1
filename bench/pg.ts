import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchImport } from './support/pg-import.ts'
import { benchPgLists } from './support/pg-lists.ts'
import { benchProcesses } from './support/pg-processes.ts'
import { startBenchPostgres } from './support/pg-server.ts'

/** `npm run bench:pg [-- import lists processes]`: what PostgreSQL does, each against a limit measured in the same run. */
const benches = { import: benchImport, lists: benchPgLists, processes: benchProcesses }

const wanted = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'custody-bench-pg-'))
const server = await startBenchPostgres()
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted.length === 0 || wanted.includes(name)) await bench(server.url, folder)
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
