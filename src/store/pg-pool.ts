import type { ClientConfig, Client as PgClient, Pool, PoolConfig } from 'pg'

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
 * What the caller says counts first.
 */
export function optionsIn(url: string, options: PoolOptions): PoolOptions {
  const said = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams()
  const size = Number(said.get('pool_size'))
  return {
    ...(size >= 1 && size <= 1000 && { poolSize: Math.floor(size) }),
    ...(said.get('prepared') === 'false' && { prepared: false }),
    ...options,
  }
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

function reaching(url: string): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    // A server that vanished without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'custody',
  }
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
