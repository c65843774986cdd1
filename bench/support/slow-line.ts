import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

export type SlowLine = { url: string; close(): Promise<void> }

/** A connection to a database on this machine as if it were far away: everything arrives `oneWayMs` later, in order. */
export async function startSlowLine(databaseUrl: string, oneWayMs: number): Promise<SlowLine> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(port), noDelay: true })
    near.setNoDelay(true)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      // Timers of equal duration fire in the order in which they were set.
      from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), oneWayMs))
      from.on('close', () => setTimeout(() => to.destroy(), oneWayMs))
      from.on('error', () => {})
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(address.port) }).href,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
