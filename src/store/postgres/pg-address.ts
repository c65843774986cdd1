import { StoreError } from '../database.ts'

export type PoolOptions = {
  /** Maximum connections (default 10). */
  poolSize?: number
  /** False: do not prepare statements, for poolers that cannot keep them. */
  prepared?: boolean
  /** Called once if a pooler loses prepared statements; from then on none are prepared. */
  onUnprepared?: (word: string) => void
  /** How long to wait for a server that does not answer, in milliseconds (default 10,000). */
  connectMs?: number
}

/** Settings that the driver reads as PostgreSQL's own programs do. */
const passedOn =
  'sslmode sslrootcert sslcert sslkey sslnegotiation options application_name host port user password uselibpqcompat'
const known = new Set([...passedOn.split(' '), 'connect_timeout', 'pool_size', 'prepared'])

/** Reads our own settings, as in `pool_size=20`; `options` take precedence. Throws `StoreError` on a bad address or setting. */
export function optionsIn(url: string, options: PoolOptions): PoolOptions {
  rejectSeveral(/^\w+:\/\/(?:.*@)?([^/]*)/.exec(url.split('?', 1)[0] ?? '')?.[1])
  const parameters = parametersOf(url)
  rejectSeveral(parameters.get('host'))
  rejectUnknown(parameters)
  const number = (name: string): number | undefined => {
    const text = parameters.get(name)
    if (text === null) return undefined
    if (!/^[1-9]\d{0,2}$/.test(text)) throw unreadable(`${name} is a number from 1 to 999`)
    return Number(text)
  }
  const word = (name: string, words: RegExp, told: string): string | undefined => {
    const text = parameters.get(name)
    if (text !== null && !words.test(text)) throw unreadable(`${name} is ${told}`)
    return text ?? undefined
  }
  const poolSize = number('pool_size')
  const seconds = number('connect_timeout')
  word('sslmode', /^(disable|require|verify-ca|verify-full)$/, 'disable, require, verify-ca or verify-full')
  const prepared = word('prepared', /^(true|false)$/, 'true or false')
  return {
    ...(poolSize !== undefined && { poolSize }),
    ...(seconds !== undefined && { connectMs: seconds * 1000 }),
    ...(prepared === 'false' && { prepared: false }),
    ...options,
  }
}

function rejectSeveral(hosts: string | null | undefined): void {
  if (hosts?.includes(','))
    throw unreadable(
      'it names several hosts, and custody connects to one; name the primary, or a proxy that leads to it',
    )
}

/** The operator would rely on a setting that was silently ignored. */
function rejectUnknown(parameters: URLSearchParams): void {
  const [name] = [...parameters.keys()].filter((one) => !known.has(one))
  if (name !== undefined) throw unreadable(`${name} is not known here; leave it out`)
}

/** A socket address may omit the host, as the driver allows. */
function parametersOf(url: string): URLSearchParams {
  const readable = [url, url.replace('@/', '@socket/')].find((one) => URL.canParse(one))
  if (readable !== undefined) return new URL(readable).searchParams
  throw unreadable(
    'give it as postgres://USER:PASSWORD@HOST:PORT/NAME, with / as %2F, # as %23, ? as %3F, @ as %40 in a password',
  )
}

/** The message omits the address, which contains a password. */
export function unreadable(why: string): StoreError {
  return new StoreError('refused', `The address of the database cannot be read: ${why}.`)
}
