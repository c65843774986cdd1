import type { Agent, ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { WebhookTarget } from '../../domain/webhooks/webhook-address.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { ConnectionGuard } from './connection-guard.ts'

/** What identifies the connection that a request needs. */
export type Dialled = ClientRequestArgs & { target: WebhookTarget; abort: AbortSignal }

/** How long an idle connection is kept: less than receivers commonly do. */
const idleMs = 4_000
/** How long a connection is reused at most, so that a receiver that moves to another address is followed. */
const ageMs = 60_000
/** Idle connections kept of one receiver: as many as one subscription has attempts at once. */
const idleMax = 8

/**
 * Connections that are kept for the next attempt at the same host and port. Each new one is dialled by the guard, which judges
 * the address; no name is asked for and no proxy used by anybody else.
 */
export function createConnections(guard: ConnectionGuard): Agent {
  const { Agent } = process.getBuiltinModule('node:http')
  const made = new WeakMap<object, number>()
  const agent = new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets: idleMax })
  const keepSocketAlive = agent.keepSocketAlive.bind(agent)
  return Object.assign(agent, {
    createConnection(options: ClientRequestArgs, done: (error: Error | null, socket?: Socket) => void) {
      const { target, abort } = options as Dialled
      guard(target, abort).then((socket) => {
        made.set(socket, runtime.uptime())
        done(null, socket)
      }, done)
    },
    keepSocketAlive(socket: Socket): boolean {
      const isYoung = runtime.uptime() - (made.get(socket) ?? 0) < ageMs
      return isYoung && Boolean(keepSocketAlive(socket))
    },
  })
}
