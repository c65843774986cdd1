import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { type ConnectionGuard, createConnectionGuard } from '../../src/service/webhooks/connections.ts'
import { listening } from './free-port.ts'

/** A request that a receiver got. */
export type Received = { path: string; method: string; headers: IncomingHttpHeaders; body: string }

/** A status, a status with headers, or full control of the answer. */
export type Behaviour =
  | number
  | { status: number; headers?: Record<string, string> }
  | ((response: ServerResponse) => void)

export type Receiver = {
  port: number
  /** One of its addresses; `name` is a label before `receiver.test`. */
  url(name?: string, path?: string): string
  received: Received[]
  /** Number of connections ever made to it. */
  connections(): number
  /** Sets its answer from now on. */
  answer(behaviour: Behaviour): void
  /** Resolves when `count` requests have come in all. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

const folder = join(import.meta.dirname, 'receiver')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** A webhook receiver on a loopback port that speaks TLS with a certificate of its own. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Duplex>()
  let behaviour: Behaviour = 204
  let connections = 0
  const server = createServer(
    { key: read('key.pem'), cert: read('certificate.pem') },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const { url: path = '', method = '', headers } = request
        received.push({ path, method, headers, body: Buffer.concat(chunks).toString() })
        behave(behaviour, response)
        for (const look of waiting) look()
      })
    },
  )
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  const port = await listening(server)
  return {
    port,
    received,
    connections: () => connections,
    url: (name, path = '/hook') => `https://${name ? `${name}.` : ''}receiver.test:${port}${path}`,
    answer: (next) => {
      behaviour = next
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The test-only exception: names of `receiver.test` lead to loopback, the only private address allowed. */
export function loopbackGuard(): ConnectionGuard {
  return createConnectionGuard({
    rule: (address) => address === '127.0.0.1',
    trusted: read('certificate.pem'),
    resolve: async (hostname) => (/(^|\.)receiver\.test$/.test(hostname) ? ['127.0.0.1'] : []),
  })
}

/** The certificate that receivers show. */
export function receiverCertificate(): string {
  return read('certificate.pem')
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  if (typeof behaviour === 'function') {
    behaviour(response)
    return
  }
  const { status, headers = {} } = typeof behaviour === 'number' ? { status: behaviour } : behaviour
  response.writeHead(status, headers).end()
}
