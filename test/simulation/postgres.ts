import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import { current, isFullAtCommit, keepConnection, outside } from './machine.ts'
import type { Process } from './scheduler.ts'
import { makeDatabasesBy } from './template.ts'

// PostgreSQL through its own driver, over real sockets. A statement takes no simulated time, like one of SQLite: nothing else
// continues until it is answered, and none waits for a lock, so the same story is the same run. The driver has no timers.

type Client = InstanceType<typeof pg.Client>
type Callback = (error: unknown, value?: unknown) => void

const { connect, query, end } = pg.Client.prototype
const { connect: lend } = pg.Pool.prototype

/** By open connection: its process, and the `begin` of its transaction. */
const open = new Map<Client, { owner: Process; begin: string }>()

/** When the last statement may be sent, and when it and all before it have been answered. */
let line = {
  client: undefined as Client | undefined,
  sent: Promise.resolve<unknown>(0),
  answered: Promise.resolve<unknown>(0),
}

/** In the order of the requests, on one connection at a time. */
function inLine(
  client: Client,
  task: () => Promise<unknown>,
  callback: Callback | undefined,
): Promise<unknown> | undefined {
  const sent = line.client === client ? line.sent : line.answered
  const answer = outside(sent.then(task))
  line = { client, sent, answered: Promise.allSettled([line.answered, answer]) }
  if (!callback) return answer
  answer.then((value) => callback(null, value), callback)
  return undefined
}

Object.assign(pg.Client.prototype, {
  connect(this: Client, callback?: Callback) {
    const owner = current()
    const connected = async () => {
      await Reflect.apply(connect, this, [])
      open.set(this, { owner, begin: '' })
      keepConnection(owner, { close: () => void this.end().catch(() => {}) })
    }
    return inLine(this, connected, callback)
  },
  query(this: Client, asked: string | pg.QueryConfig, ...given: unknown[]) {
    const [owner, { name }] = [open.get(this)?.owner, current()]
    if (owner && owner !== current()) throw new Error(`${owner.name} goes on in a turn of ${name}`)
    const callback = given.find((one): one is Callback => typeof one === 'function')
    const question = typeof asked === 'string' ? { text: asked, values: given[0] } : asked
    return inLine(this, () => answerOf(this, question as pg.QueryConfig), callback)
  },
  /** Rolls back open transactions at once. */
  end(this: Client, callback?: Callback) {
    const ended = async () => {
      if (open.delete(this)) await send(this, 'rollback').catch(() => {})
      await Reflect.apply(end, this, [])
    }
    return inLine(this, ended, callback)
  },
})

Object.assign(pg.Pool.prototype, {
  connect(this: pg.Pool, callback: never) {
    Object.assign(this.options, { connectionTimeoutMillis: 0, idleTimeoutMillis: 0, query_timeout: 0 })
    return lend.call(this, callback)
  },
})

async function answerOf(client: Client, { text, values, name }: pg.QueryConfig): Promise<unknown> {
  const known = open.get(client)
  if (known && text.startsWith('begin')) known.begin = text
  if (known && text === 'commit' && !known.begin.endsWith('read only') && isFullAtCommit(known.owner)) {
    await send(client, 'rollback')
    throw Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' })
  }
  const isList = Array.isArray(values)
  const atOnce = text.replace(/lock_timeout = \d+/, 'lock_timeout = 1')
  return send(client, { text: atOnce, ...(isList && { values }), ...(name && { name }) })
}

function send(client: Client, question: string | pg.QueryConfig): Promise<unknown> {
  return Reflect.apply(query, client, [question])
}

/** From now on, stories run over a server (test/support/postgres.ts). Returns a function that stops it. */
export async function useServer(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const made = new Set<string>()
  const nameOf = (name: string): string => `custody_simulation_${process.pid}_${name}`
  makeDatabasesBy(async (name, from) => {
    made.add(nameOf(name))
    const template = from === undefined ? '' : ` template ${new URL(from).pathname.slice(1)}`
    await onServer(server.url, dropping(nameOf(name)), `create database ${nameOf(name)}${template}`)
    return String(Object.assign(new URL(server.url), { pathname: `/${nameOf(name)}` }))
  })
  return async () => {
    await onServer(server.url, ...[...made].map(dropping))
    await server.stop()
  }
}

const dropping = (name: string): string => `drop database if exists ${name} with (force)`

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await Reflect.apply(connect, client, [])
  for (const statement of statements) await send(client, statement)
  await Reflect.apply(end, client, [])
}
