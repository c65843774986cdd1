import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The prefix of this run's schema names. */
    postgresRun: string
  }
}

/** Vitest loads this file again for each project, but all of them share the server. */
const run = globalThis as typeof globalThis & {
  custodyPostgres?: { name: string; server: Promise<PostgresServer>; users: number }
}

/** One server for the whole run; each test process creates its own schemas. */
export async function setup(project: TestProject): Promise<void> {
  run.custodyPostgres ??= {
    name: `custody_test_${process.pid}_${Date.now()}_`,
    server: startPostgres(),
    users: 0,
  }
  const { name, server } = run.custodyPostgres
  run.custodyPostgres.users += 1
  project.provide('postgresUrl', (await server).url)
  project.provide('postgresRun', name)
}

/** A server that the run started is deleted; one that was given stays as it was. */
export async function teardown(): Promise<void> {
  const shared = run.custodyPostgres
  if (!shared) return
  shared.users -= 1
  if (shared.users > 0) return
  delete run.custodyPostgres
  const server = await shared.server
  if (server.isGiven) await dropSchemas(server.url, shared.name)
  await server.stop()
}

async function dropSchemas(url: string, prefix: string): Promise<void> {
  const db = await openPostgres(url, { poolSize: 1 })
  const { rows } = await db.pool.query<{ name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [prefix],
  )
  for (const { name } of rows) await db.pool.query(`drop schema ${name} cascade`)
  await db.close()
}
