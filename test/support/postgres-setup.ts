import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/store/pg.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** What the names of this run's schemas begin with. */
    postgresRun: string
  }
}

const run = `custody_test_${process.pid}_${Date.now()}_`
let server: PostgresServer

/** One server for the whole run; every test process takes schemas of its own. */
export async function setup(project: TestProject): Promise<void> {
  server = await startPostgres()
  project.provide('postgresUrl', server.url)
  project.provide('postgresRun', run)
}

/** A server of our own is thrown away; one that was given is left as it was. */
export async function teardown(): Promise<void> {
  if (server.isGiven) await dropSchemas(server.url)
  await server.stop()
}

async function dropSchemas(url: string): Promise<void> {
  const db = await openPostgres(url, { poolSize: 1 })
  const { rows } = await db.pool.query<{ name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [run],
  )
  for (const { name } of rows) await db.pool.query(`drop schema ${name} cascade`)
  await db.close()
}
