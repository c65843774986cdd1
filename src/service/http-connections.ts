import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may be under way at once: nobody asks for so many without reading an answer. */
const inHandMax = 100

type Connection = { inHand: number; last: IncomingMessage | undefined }

export type Connections = {
  /**
   * For a server that takes nothing new: a connection without a whole request ends after `arrivalMs`, one with a request as
   * soon as it is answered, and what is left after `drainMs` whatever it does. Answers how to call that off.
   */
  end(arrivalMs: number, drainMs: number): () => void
}

/**
 * Keeps the connections of a server from staying for good: `server.timeout` is how long one may stand still that has
 * nothing under way, or that takes nothing of its answer.
 */
export function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { inHand: 0, last: undefined })
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connection.inHand += 1
    connection.last = request
    response.once('close', () => {
      connection.inHand -= 1
    })
    if (connection.inHand > inHandMax) socket.destroy()
  })
  // With a listener of ours the server itself ends nothing: what waits for an answer may take its time.
  server.on('timeout', (socket: Socket) => {
    const isWorking = (connections.get(socket)?.inHand ?? 0) > 0
    // Reset, or the system would keep what nobody takes for minutes more.
    if (socket.writableLength > 0) socket.resetAndDestroy()
    else if (!isWorking) socket.destroy()
  })
  return {
    end(arrivalMs, drainMs) {
      const arrived = setTimeout(() => {
        for (const [socket, { inHand, last }] of connections) {
          // What was sent by half has not been acknowledged either.
          if (inHand === 0 || !last?.complete) socket.destroy()
        }
      }, arrivalMs)
      const drained = setTimeout(() => server.closeAllConnections(), drainMs)
      return () => {
        clearTimeout(arrived)
        clearTimeout(drained)
      }
    },
  }
}
