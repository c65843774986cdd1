import { inject } from 'vitest'
import { openPostgres, type PgDatabase, type PgOptions } from '../../src/store/postgres/pg.ts'
import { addressIn } from './address-in.ts'
import type { Operator } from './operator.ts'

let made = 0

/** Its own empty schema on the run's server, deleted when the run ends. */
export async function makeSchema(url: string = inject('postgresUrl')): Promise<string> {
  made += 1
  const schema = `${inject('postgresRun')}${process.pid}_${made}`
  const admin = await openPostgres(url, { poolSize: 1 })
  await admin.pool.query(`create schema ${schema}`)
  await admin.close()
  return schema
}

export function inSchema(schema: string, url: string = inject('postgresUrl')): string {
  return addressIn(url, schema)
}

/** The address of a copy of the operator's database. */
export async function copyToPostgres({
  database,
  here,
}: Pick<Operator, 'database' | 'here'>): Promise<string> {
  const url = inSchema(await makeSchema())
  await here(['db', 'copy', '--from', `sqlite:${database}`, '--to', url])
  return url
}

/** A database in an empty schema of its own. */
export async function openFreshSchema(options: PgOptions = {}): Promise<PgDatabase> {
  const url = inject('postgresUrl')
  return openPostgres(inSchema(await makeSchema(url), url), { ...options })
}
