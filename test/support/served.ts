import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Operator } from './operator.ts'

/** `custody serve` as its own process over a new database, with one partner's key. */
export type Served = {
  database: string
  baseUrl: string
  key: string
  /** Variables that name this service for a run. */
  env: { CUSTODY_BASE_URL: string; CUSTODY_API_KEY: string }
  /** Options of a run that uses this service. */
  overHttp: { env: Record<string, string> }
  /** After `kill -9`, at the same address. */
  restart(): Promise<void>
  /** Returns its stderr. */
  stop(): Promise<string>
}

export const servedPartner = 'Northgate Cards'

type ServeOptions = {
  /** Serves the operator's own database, with its sample data, or a copy of it at this address. */
  isOwn?: boolean
  at?: string | undefined
  environment?: 'sandbox' | 'production'
  flags?: readonly string[]
}

/** `flags`: of serve, such as --rate-limit. */
export async function serve(operator: Operator, options: ServeOptions = {}): Promise<Served> {
  const { environment = 'sandbox', flags = [], isOwn = false, at = operator.database } = options
  const database = isOwn ? at : operator.path(`${environment}${flags.join('')}.db`)
  const partner = isOwn ? 'Sandbox' : servedPartner
  const place = ['--database', database]
  await operator.here(['db', 'migrate', ...place])
  await operator.here(['admin', 'partners', 'create', partner, ...place])
  const create = ['admin', 'keys', 'create', partner, '--environment', environment, ...place]
  const { key } = await operator.look<{ key: string }>(create)
  let process: ReturnType<Operator['start']>
  const listen = async (port: string): Promise<string> => {
    process = operator.start(['serve', ...place, '--port', port, '--environment', environment, ...flags])
    const ended = process.then(({ stderr }) => [`nothing but: ${stderr}`])
    const [line] = await Promise.race([once(process.stdout as Readable, 'data'), ended])
    const found = /http:\S+/.exec(String(line))?.[0]
    if (found === undefined) throw new Error(`serve printed ${line}`)
    return found
  }
  const baseUrl = await listen('0')
  const env = { CUSTODY_BASE_URL: baseUrl, CUSTODY_API_KEY: key }
  return {
    database,
    baseUrl,
    key,
    env,
    overHttp: { env: { ...env, CUSTODY_DATABASE: '' } },
    async restart() {
      process.kill('SIGKILL')
      await process
      await listen(new URL(baseUrl).port)
    },
    async stop() {
      process.kill('SIGTERM')
      return String((await process).stderr)
    },
  }
}

/** For each.ts. */
export const servedBy = (...given: Parameters<typeof serve>) => ({
  make: () => serve(...given),
  end: (served: Served) => served.stop(),
})
