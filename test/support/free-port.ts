import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** A loopback port that is free right now, for programs that cannot be given port 0. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a server on a free loopback port, and returns the port. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
