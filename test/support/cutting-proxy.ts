import { connect, createServer, type Socket } from 'node:net'
import { listening } from './free-port.ts'

/** A loopback proxy that cuts connections at a word that the client sends. */
export type CuttingProxy = {
  /** The server's URL through the proxy. */
  url: string
  /** Cuts the next connection whose client sends `word`: before the server receives it, or after it has answered. */
  cutAt(word: string, when: 'before' | 'after'): void
  /** Passes nothing on any more and closes nothing, like a network that failed. */
  fallSilent(): void
  /** Number of connections cut. */
  cuts(): number
  close(): Promise<void>
}

/** Starts a proxy between a client and the server of this URL. */
export async function startCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let order: { word: string; when: 'before' | 'after' } | undefined
  let cut = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    upstream.pipe(client)
    client.on('end', () => upstream.end())
    client.on('data', (bytes) => {
      if (!order || !bytes.includes(order.word)) return void upstream.write(bytes)
      const { when, word } = order
      order = undefined
      cut += 1
      upstream.unpipe(client)
      const end = (): void => void [client.destroy(), upstream.destroy()]
      if (when === 'before') return end()
      // The server's command tag: COMMIT, UPDATE 1.
      const tag = word.split(' ')[0]?.toUpperCase() ?? ''
      upstream.on('data', (answer: Buffer) => answer.includes(tag) && end()).resume()
      upstream.write(bytes)
    })
  })
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(await listening(server))
  return {
    url: url.href,
    cutAt(word, when) {
      order = { word, when }
    },
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    cuts: () => cut,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
