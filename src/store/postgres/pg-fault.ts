import { StoreError, type StoreFault } from '../database.ts'

/**
 * `race`: lost to another transaction; retry. `twin`: the row or table exists, perhaps since a moment ago; look again. `stale`:
 * retry on another connection. `lost`: server unreachable or stopping. `held`: our row stays locked. `closed`: takes no writes.
 */
export type PgSetback = 'race' | 'twin' | 'stale' | 'lost' | 'held' | 'closed'

/** Serialization failure and deadlock. */
const races = new Set(['40001', '40P01'])
const twins = new Set(['23505', '42P07', '42710'])
/** A prepared statement is missing or duplicate: a pooler switched the server connection. */
const unprepared = new Set(['26000', '42P05'])
/** Also: a migration changed the result of a prepared statement. */
const stale = new Set([...unprepared, '0A000'])
/** The server stops, starts, fails over, has no free connection, or ended an idle transaction. */
const going = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04'])
const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])

/** How the whole transaction may be retried if its commit was not sent yet; undefined if it may not. */
export function pgSetback(error: unknown): PgSetback | undefined {
  const code = sqlState(error)
  if (code === undefined) return isConnectionText(error) ? 'lost' : undefined
  if (races.has(code)) return 'race'
  if (twins.has(code)) return 'twin'
  if (stale.has(code)) return 'stale'
  if (code === '55P03') return 'held'
  if (code === '25006') return 'closed'
  return going.has(code) || lost.has(code) || isConnectionCode(error, code) ? 'lost' : undefined
}

/** Class 08. Too many parameters is 08P01 too, but our own error; a pooler that drops a client sends it as FATAL. */
function isConnectionCode(error: unknown, code: string): boolean {
  return code.startsWith('08') && !(code === '08P01' && severityOf(error) === 'ERROR')
}

export function isUnprepared(error: unknown): boolean {
  return unprepared.has(sqlState(error) ?? '')
}

/**
 * If false, the outcome is unknown: a server that fails during a commit (PANIC, in any language) may find the commit in its log
 * later, and distributed engines report a lost peer as class XX.
 */
export function isCertainlyUncommitted(error: unknown): boolean {
  const code = sqlState(error)
  if ((severityOf(error) ?? 'ERROR') !== 'ERROR') return false
  // Network errors may have five letters too: EPIPE.
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || !/\d/.test(code)) return false
  return code !== '40003' && !going.has(code) && !/^(08|XX)/.test(code)
}

/** Rewords the driver's error for the operator; a bug of ours stays as it is. */
export function inStoreWords(error: unknown): unknown {
  if (error instanceof StoreError) return error
  const found = faultOf(error)
  return found ? new StoreError(found[0], found[1], error) : error
}

function faultOf(error: unknown): [StoreFault, string] | undefined {
  const code = sqlState(error) ?? ''
  const setback = pgSetback(error)
  const why = reasonOf(error)
  if (setback === 'lost') {
    return ['unreachable', `The database server cannot be reached (${why}): try again, or check its address.`]
  }
  if (code === '53100') return ['full', 'The database server’s disk is full (this change was not made).']
  if (code.startsWith('58'))
    return ['unreachable', `The database server could not use its disk: ${messageOf(error)}.`]
  if (code.startsWith('53')) return ['busy', `The database server is out of resources: ${messageOf(error)}.`]
  if (code === '57014')
    return ['busy', `The database server cancelled the statement: ${messageOf(error)}; try again.`]
  if (code === 'XX001' || code === 'XX002') {
    return ['corrupt', `The database is damaged (${messageOf(error)}): restore it from a backup.`]
  }
  if (setback === 'held') return ['busy', 'Another write held this partner’s data for too long; try again.']
  if (setback === 'closed') return ['read_only', 'The database is read-only: connect to the primary.']
  if (code === '42501' || code === '3F000')
    return ['refused', `The database user lacks a permission: ${messageOf(error)}.`]
  if (code === '42P07') {
    return [
      'refused',
      `The database contains something that is not custody’s (${messageOf(error)}): give custody a database of its own.`,
    ]
  }
  if (code === '3D000') return ['not_found', `The database server says: ${messageOf(error)}.`]
  if (code.startsWith('28') || isPasswordText(error)) {
    return [
      'refused',
      `The database refused the connection (${why}): check the user and the password in its address.`,
    ]
  }
  if (isTlsFault(error, code)) {
    return ['refused', `Cannot set up TLS as the address requires (${why}): check sslmode and sslrootcert.`]
  }
  if (setback === 'race') return ['busy', 'The database is too busy with this data; try again.']
  return undefined
}

function isConnectionText(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /connection (terminated|timeout|ended)|timeout e(xceeded|xpired)|read timeout|not queryable/i.test(
    error.message,
  )
}

/** The driver's message if the server wants a password and there is none. */
function isPasswordText(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('SASL')
}

function isTlsFault(error: unknown, code: string): boolean {
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL)/.test(code)) return true
  return error instanceof Error && /\bSSL connection/.test(error.message)
}

export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code
}

function severityOf(error: unknown): unknown {
  return error instanceof Error && 'severity' in error ? error.severity : undefined
}

/** For example `connect ECONNREFUSED 127.0.0.1:5432`; never a password. */
function reasonOf(error: unknown): string {
  // The host name had several addresses, and all failed.
  const [first] = error instanceof AggregateError ? error.errors : []
  const message = messageOf(first ?? error).replace(/\.$/, '')
  return message.endsWith('not queryable') ? 'the connection was lost' : message
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
