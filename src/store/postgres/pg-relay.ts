import type { Client, Pool } from 'pg'
import { randomHex, runtime, sleep } from '../../runtime/runtime.ts'
import type { Relay } from '../database.ts'

const channel = 'custody_events'
/** Minimum interval of notifications, in milliseconds: NOTIFY takes a server-wide lock during its commit. */
const announceMs = 10
/** Scopes per notification: the payload must stay below 8,000 bytes. */
const scopesAtOnce = 400
const reconnectMsMax = 30_000

/** NOTIFY runs after the commit: inside it, it would serialize all scopes' commits. Polling finds what gets lost. */
export function createRelay(pool: Pool, connect: () => Promise<Client>): Relay & { close(): Promise<void> } {
  const tag = randomHex(6)
  const announcer = createAnnouncer(pool, tag)
  const listener = createListener(connect, tag)
  return {
    announce: announcer.announce,
    listen: listener.listen,
    async close() {
      await Promise.all([announcer.close(), listener.close()])
    },
  }
}

function createAnnouncer(
  pool: Pool,
  tag: string,
): { announce(scopeId: number): void; close(): Promise<void> } {
  const waiting = new Set<number>()
  let sending: Promise<void> | undefined
  let isClosing = false
  const send = async (): Promise<void> => {
    while (waiting.size > 0) {
      const some = [...waiting].slice(0, scopesAtOnce)
      for (const scopeId of some) waiting.delete(scopeId)
      await notify(pool, `${tag}:${some.join(',')}`)
      if (!isClosing) await sleep(announceMs)
    }
    sending = undefined
  }
  return {
    announce(scopeId) {
      waiting.add(scopeId)
      sending ??= send()
    },
    async close() {
      isClosing = true
      await sending
    },
  }
}

/** A hint need not reach the disk. */
async function notify(pool: Pool, payload: string): Promise<void> {
  const text = `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', $1)`
  await pool.query(text, [payload]).catch(() => {})
}

function createListener(
  connect: () => Promise<Client>,
  tag: string,
): Pick<Relay, 'listen'> & { close(): Promise<void> } {
  let wake = (_scopeId: number): void => {}
  let client: Client | undefined
  let callOff = (): void => {}
  let attempts = 0
  let isClosed = false
  const open = async (): Promise<void> => {
    attempts += 1
    try {
      client = await connect()
      client.once('end', reopen)
      client.on('notification', ({ payload = '' }) => hear(payload, tag, wake))
      if (isClosed) return await client.end()
      await client.query(`listen ${channel}`)
      attempts = 1
    } catch {
      client === undefined ? reopen() : await client.end().catch(() => {})
    }
  }
  const reopen = (): void => {
    client = undefined
    if (isClosed) return
    callOff = runtime.after(Math.min(500 * 2 ** attempts, reconnectMsMax), () => void open(), true)
  }
  return {
    listen(given) {
      wake = given
      void open()
    },
    async close() {
      isClosed = true
      callOff()
      await client?.end().catch(() => {})
    },
  }
}

/** Ignores this process's own announcements. */
function hear(payload: string, tag: string, wake: (scopeId: number) => void): void {
  const [from, scopes = ''] = payload.split(':')
  if (from === tag || scopes === '') return
  for (const scopeId of scopes.split(',').map(Number)) wake(scopeId)
}
