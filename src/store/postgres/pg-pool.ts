import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig, Client as PgClient, Pool, PoolConfig } from 'pg'
import { StoreError } from '../database.ts'
import { type PoolOptions, unreadable } from './pg-address.ts'

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
  // Statements rely on the first three, whose defaults an administrator may have changed.
  const settings = [
    "default_transaction_isolation = 'read committed'",
    'array_nulls = on',
    'extra_float_digits = 1',
    idleLimit,
    `lock_timeout = ${options.lockMs}`,
  ]
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // Sent ahead of the first statement and not awaited; one by one, because other engines lack some.
    for (const setting of settings) client.query(`set ${setting}`).catch(() => {})
  })
  return pool
}

/** Set in each transaction: a pooler may switch to a server connection that lacks the session's settings. */
export function beginWrite(lockMs: number): string {
  return `begin isolation level read committed; set local ${idleLimit}; set local lock_timeout = ${lockMs}`
}

export async function openConnection(url: string, { connectMs }: PoolOptions): Promise<PgClient> {
  const { Client } = await import('pg')
  const client = new (knowing(Client, connectMs))(reaching(url))
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
      // Without a listener, the error of a lost idle connection would end the process.
      this.on('error', () => {})
      // The driver calls it when the server asks. After an error it would leave the connection open.
      const ask = () =>
        passwordFor(this).catch((error: unknown) => {
          void this.end()
          throw error
        })
      if (!this.password) Object.assign(this, { password: ask })
      const { connection } = this
      const sayGoodbye = connection.end.bind(connection)
      // The server's answer is not awaited: it never comes if the network failed silently.
      connection.end = () => {
        sayGoodbye()
        connection.stream.once('finish', () => connection.stream.destroy())
      }
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

/** Parses int8 and numeric as numbers: ours are all far below 2^53. */
function numbersOr(
  types: typeof import('pg')['types'],
  oid: number,
  format: 'text' | 'binary' = 'text',
): unknown {
  if (oid === types.builtins.INT8 || oid === types.builtins.NUMERIC) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}

/** A host that begins with a slash is a socket's folder. */
export type Login = {
  host: string
  port: number
  database?: string | undefined
  user?: string | undefined
}

/** From `PGPASSFILE` or `~/.pgpass`. Throws `StoreError` if no line matches or other users can read the file. */
export async function passwordFor(login: Login, env = process.env): Promise<string> {
  const file = env.PGPASSFILE || defaultFile(env)
  const text = await textOf(file)
  for (const line of text.split(/\r?\n/)) {
    const password = passwordIn(line, login)
    if (password !== undefined) return password
  }
  throw new StoreError(
    'refused',
    `The database requires a password for ${login.user ?? 'its user'}, and none is set: set PGPASSWORD, ` +
      `or write one into ${file} or the address.`,
  )
}

function defaultFile(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.APPDATA ?? '.', 'postgresql', 'pgpass.conf')
  return join(env.HOME || homedir(), '.pgpass')
}

async function textOf(file: string): Promise<string> {
  try {
    const { mode } = await stat(file)
    if (process.platform === 'win32' || (mode & 0o077) === 0) return await readFile(file, 'utf8')
  } catch {
    return ''
  }
  throw new StoreError(
    'refused',
    `The password file ${file} can be read or changed by others, so custody does not use it. Make it private with: chmod 600 ${file}`,
  )
}

/** `host:port:database:user:password`; `*` matches anything in the first four, and a backslash escapes a colon. */
function passwordIn(line: string, { host, port, database, user }: Login): string | undefined {
  if (line.startsWith('#')) return undefined
  const fields = /^((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):(.*)$/.exec(line)
  const [hosts = '', ports, databases, users, password] = (fields ?? []).slice(1).map(unescaped)
  const isMeant = (field: string | undefined, value: unknown): boolean =>
    field === '*' || field === String(value)
  const isHost = isMeant(hosts, host) || (host.startsWith('/') && hosts === 'localhost')
  return isHost && isMeant(ports, port) && isMeant(databases, database) && isMeant(users, user)
    ? password
    : undefined
}

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1')
}
