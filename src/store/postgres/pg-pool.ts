import type { ClientConfig, Client as PgClient, Pool, PoolConfig } from 'pg'
import { type PoolOptions, unreadable } from './pg-address.ts'
import { passwordFor } from './pg-password-file.ts'

/** A process that hangs in a transaction, or whose machine is gone, must not hold a scope for long. */
const idleLimit = 'idle_in_transaction_session_timeout = 60000'
/**
 * How long one statement of a request may take before its connection is given up: longer than any wait for a lock. A server that
 * vanished silently, as one that failed over, holds its connections for so long.
 */
const statementMs = 35_000
const connectMsDefault = 10_000
export const poolSizeDefault = 10

/** A pool of connections that return numbers as numbers and survive the loss of a server. */
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
  refuseUnusable(pg.Client, config)
  const pool = new pg.Pool(config)
  const settings = settingsOf(options)
  // An idle connection that is lost is replaced; without a listener its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Sent ahead of the first statement; nobody waits for it.
    client.query(settings).catch(() => {})
  })
  return pool
}

/** A pooler may give each transaction another connection of the server, to which what was set when it connected is not known. */
export function beginWrite(lockMs: number): string {
  return `begin; set local ${idleLimit}; set local lock_timeout = ${lockMs}`
}

/** A separate connection, for notifications. */
export async function openConnection(url: string, { connectMs }: PoolOptions): Promise<PgClient> {
  const { Client } = await import('pg')
  const client = new (knowing(Client, connectMs))(reaching(url))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The driver reports faults of an address, such as a missing certificate, when it reads it. */
function refuseUnusable(Client: typeof PgClient, config: ClientConfig): void {
  try {
    new Client(config)
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('. ')
    throw unreadable(why.replace('SECURITY WARNING: ', ''))
  }
}

/**
 * A connection that reads the password file if the server asks for a password and none was given. The driver's own way of
 * doing so is deprecated and warns in every run.
 */
function knowing(Client: typeof PgClient, connectMs = connectMsDefault): typeof PgClient {
  return class extends Client {
    constructor(config: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs })
      // The driver takes a function here too, and asks it when the server asks.
      if (!this.password) Object.assign(this, { password: () => passwordFor(this) })
    }
  }
}

function reaching(url: string): ClientConfig {
  return {
    connectionString: inLibpqTerms(url),
    // So that a server that vanished silently is noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'custody',
  }
}

/** `sslmode` means what it means to PostgreSQL's own programs: `require` encrypts, `verify-full` checks the certificate. */
function inLibpqTerms(url: string): string {
  return /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url
}

function settingsOf({ schema, lockMs }: PoolOptions & { lockMs: number }): string {
  const settings = [`set ${idleLimit}`, `set lock_timeout = ${lockMs}`]
  if (schema !== undefined) settings.push(`set search_path = ${schema}`)
  return settings.join('; ')
}

/** int8 and numeric as numbers: every number we keep is far below 2^53. */
function numbersOr(
  types: typeof import('pg')['types'],
  oid: number,
  format: 'text' | 'binary' = 'text',
): unknown {
  if (oid === types.builtins.INT8 || oid === types.builtins.NUMERIC) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}
