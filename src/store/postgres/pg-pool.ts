import type { ClientConfig, Client as PgClient, Pool, PoolConfig } from 'pg'
import { type PoolOptions, unreadable } from './pg-address.ts'
import { passwordFor } from './pg-password-file.ts'

/** A process that hangs in a transaction, or whose machine is gone, must not block a scope for long. */
const idleLimit = 'idle_in_transaction_session_timeout = 60000'
/** Longest statement of a request, longer than any lock wait: a silently failed server blocks its connections this long. */
const statementMs = 35_000
const connectMsDefault = 10_000
export const poolSizeDefault = 10

export async function openPool(url: string, options: PoolOptions & { lockMs: number }): Promise<Pool> {
  const pg = await import('pg')
  const Client = knowing(pg.Client, options.connectMs)
  const config: PoolConfig & { pipeline: boolean } = {
    ...reaching(url),
    // Also how long a transaction waits for a connection of the pool.
    connectionTimeoutMillis: Math.max(options.connectMs ?? 0, connectMsDefault),
    Client,
    max: options.poolSize ?? poolSizeDefault,
    query_timeout: statementMs,
    pipeline: true,
    types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => numbersOr(pg.types, oid, format) },
  }
  rejectUnusable(pg.Client, config)
  const pool = new pg.Pool(config)
  const settings = settingsOf(options)
  // Without a listener, the error of a lost idle connection would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Sent ahead of the first statement and not awaited.
    client.query(settings).catch(() => {})
  })
  return pool
}

/** Set in each transaction: a pooler may switch to a server connection that lacks the session's settings. */
export function beginWrite(lockMs: number): string {
  return `begin; set local ${idleLimit}; set local lock_timeout = ${lockMs}`
}

export async function openConnection(url: string, { connectMs }: PoolOptions): Promise<PgClient> {
  const { Client } = await import('pg')
  const client = new (knowing(Client, connectMs))(reaching(url))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Constructing a client reports errors in the address, such as a missing certificate. */
function rejectUnusable(Client: typeof PgClient, config: ClientConfig): void {
  try {
    new Client(config)
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('. ')
    throw unreadable(why.replace('SECURITY WARNING: ', ''))
  }
}

/** Reads the password file only if the server asks; the driver's own lookup is deprecated and always prints a warning. */
function knowing(Client: typeof PgClient, connectMs = connectMsDefault): typeof PgClient {
  return class extends Client {
    constructor(config: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs })
      // The driver accepts a function and calls it when the server asks.
      if (!this.password) Object.assign(this, { password: () => passwordFor(this) })
    }
  }
}

function reaching(url: string): ClientConfig {
  return {
    connectionString: inLibpqTerms(url),
    // Notices a server that vanished silently.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'custody',
  }
}

/** `sslmode` as in PostgreSQL's programs: `require` encrypts, `verify-full` checks the certificate. */
function inLibpqTerms(url: string): string {
  return /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url
}

function settingsOf({ schema, lockMs }: PoolOptions & { lockMs: number }): string {
  const settings = [`set ${idleLimit}`, `set lock_timeout = ${lockMs}`]
  if (schema !== undefined) settings.push(`set search_path = ${schema}`)
  return settings.join('; ')
}

/** Parses int8 and numeric as numbers: ours are all far below 2^53. */
function numbersOr(
  types: typeof import('pg')['types'],
  oid: number,
  format: 'text' | 'binary' = 'text',
): unknown {
  if (oid === types.builtins.INT8 || oid === types.builtins.NUMERIC) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}
