import type { ClientConfig, Client as PgClient, Pool, PoolConfig } from 'pg'
import { StoreError } from './database.ts'

export type PoolOptions = {
  /** Connections at once (default 10). */
  poolSize?: number
  /** Tables live in this schema instead of the connection's own. */
  schema?: string
  /** False: statements are planned each time, for a pooler that cannot keep prepared ones. */
  prepared?: boolean
}

/**
 * What the address itself says beside what every PostgreSQL program understands: `pool_size=20`, `prepared=false`.
 * What the caller says counts first. Throws `StoreError` where the address cannot be read.
 */
export function optionsIn(url: string, options: PoolOptions): PoolOptions {
  const said = parametersOf(url)
  const size = said.get('pool_size')
  if (size !== null && !/^[1-9]\d{0,2}$/.test(size)) throw unreadable('pool_size is a number from 1 to 999')
  const sslmode = said.get('sslmode')
  if (sslmode !== null && !/^(disable|require|verify-ca|verify-full)$/.test(sslmode)) {
    throw unreadable('sslmode is disable, require, verify-ca or verify-full')
  }
  const prepared = said.get('prepared')
  if (prepared !== null && !/^(true|false)$/.test(prepared)) throw unreadable('prepared is true or false')
  return {
    ...(size !== null && { poolSize: Number(size) }),
    ...(prepared === 'false' && { prepared: false }),
    ...options,
  }
}

/** The address of a socket may leave out the host, as the driver lets it. */
function parametersOf(url: string): URLSearchParams {
  const readable = [url, url.replace('@/', '@socket/')].find((one) => URL.canParse(one))
  if (readable !== undefined) return new URL(readable).searchParams
  throw unreadable(
    'give it as postgres://USER:PASSWORD@HOST:PORT/NAME, with / as %2F, # as %23, ? as %3F, @ as %40 in a password',
  )
}

/** Without the address itself: it holds a password. */
function unreadable(why: string): StoreError {
  return new StoreError('refused', `The address of the database cannot be read: ${why}.`)
}

/** A process that stands still in a transaction, or whose machine is gone, must not hold a scope for long. */
const idleInTransactionMs = 60_000
/** How long one statement may take before its connection is given up: longer than any wait for a lock. */
const statementMs = 180_000
const connectMs = 10_000

/** A pool of connections that say numbers as numbers and survive the loss of a server. */
export async function openPool(url: string, options: PoolOptions & { lockMs: number }): Promise<Pool> {
  const pg = await import('pg')
  const config: PoolConfig & { pipeline: boolean } = {
    ...reaching(url),
    max: options.poolSize ?? 10,
    query_timeout: statementMs,
    pipeline: true,
    types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => numbersOr(pg.types, oid, format) },
  }
  refuseUnusable(pg.Client, config)
  const pool = new pg.Pool(config)
  const settings = settingsOf(options)
  // A connection lost while nobody uses it is replaced; without a listener its end would be the process's.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Sent ahead of the first statement; nobody waits for it.
    client.query(settings).catch(() => {})
  })
  return pool
}

/** A connection of its own, for what comes unasked. */
export async function openConnection(url: string): Promise<PgClient> {
  const { Client } = await import('pg')
  const client = new Client(reaching(url))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What the driver finds wrong with an address, such as a certificate that is not there, it says when it reads it. */
function refuseUnusable(Client: typeof PgClient, config: ClientConfig): void {
  try {
    new Client(config)
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('. ')
    throw unreadable(why.replace('SECURITY WARNING: ', ''))
  }
}

function reaching(url: string): ClientConfig {
  return {
    connectionString: inLibpqTerms(url),
    connectionTimeoutMillis: connectMs,
    // A server that vanished without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'custody',
  }
}

/** `sslmode` means what it means to PostgreSQL's own programs: `require` encrypts, `verify-full` looks at the certificate. */
function inLibpqTerms(url: string): string {
  return /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url
}

function settingsOf({ schema, lockMs }: PoolOptions & { lockMs: number }): string {
  const settings = [
    `set idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    `set lock_timeout = ${lockMs}`,
  ]
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
