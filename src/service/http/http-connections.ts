import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may be under way at once: nobody asks for so many without reading an answer. */
const inHandMax = 100

/** How slowly an answer may be taken: all of it within `freeMs` and a second more for each `bytesPerS` of it. */
export type Pace = { freeMs: number; bytesPerS: number }

/** Slower than any modem: nobody needs an answer at this pace, and each holds up to megabytes here. */
const slowest: Pace = { freeMs: 60_000, bytesPerS: 4096 }

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
 * nothing under way, or that takes nothing of its answer; `pace`, how slowly one may take it.
 */
export function watchConnections(server: Server, pace = slowest): Connections {
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
    response.once('prefinish', () => limitTaking(socket, response, pace))
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

/** From when an answer is whole: what the system has not taken of it by then waits for the reader. */
function limitTaking(socket: Socket, response: ServerResponse, { freeMs, bytesPerS }: Pace): void {
  const waiting = socket.writableLength
  if (waiting === 0) return
  const cut = setTimeout(() => socket.resetAndDestroy(), freeMs + (waiting / bytesPerS) * 1000)
  response.once('close', () => clearTimeout(cut))
}
