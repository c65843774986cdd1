import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { runtime } from '../../runtime/runtime.ts'
import { every } from '../../runtime/waiting.ts'

/** The share of allowed connections from which silent ones are closed to make room. */
const roomyShare = 0.9

/** How slowly something may be read or arrive: all of it within `freeMs`, and a second more for each `bytesPerS` of it. */
export type Pace = { freeMs: number; bytesPerS: number }

/** Slower than any modem: nobody needs an answer at this pace, and each holds up to megabytes here. */
export const slowestTaking: Pace = { freeMs: 60_000, bytesPerS: 4096 }
/** A body that trickles in only occupies a place. */
const slowestArrival: Pace = { freeMs: 10_000, bytesPerS: 4096 }
const lookMs = 2_000

/** `since`: when its last request began to arrive; `before`: what had been read of the connection by then. */
type Connection = { inHand: number; last: IncomingMessage | undefined; since: number; before: number }

export type Connections = {
  /**
   * For a server that takes nothing new: a connection without a whole request ends after `arrivalMs`, one with a request as
   * soon as it is answered, and what is left after `drainMs` whatever it does. Answers how to call that off.
   */
  end(arrivalMs: number, drainMs: number): () => void
}

type Options = { pace?: Pace; arrivalPace?: Pace }

/**
 * Keeps the connections of a server from staying for good: `server.timeout` is how long one may stand still that has
 * nothing under way, or that takes nothing of its answer; `pace`, how slowly one may take it, `arrivalPace`, how slowly a body
 * may arrive. Where nearly all there may be are there, one that says nothing makes room for who comes.
 */
export function watchConnections(
  server: Server,
  { pace = slowestTaking, arrivalPace = slowestArrival }: Options,
): Connections {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    if (connections.size >= roomyShare * server.maxConnections) endSilent(connections)
    // Each request in progress adds listeners for the end.
    socket.setMaxListeners(50)
    connections.set(socket, { inHand: 0, last: undefined, since: 0, before: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const stopLooking = every(Math.min(lookMs, arrivalPace.freeMs), () =>
    endTrickling(connections, arrivalPace),
  )
  server.once('close', stopLooking)
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connection.inHand += 1
    connection.last = request
    connection.since = runtime.uptime()
    connection.before = socket.bytesRead
    response.once('close', () => {
      connection.inHand -= 1
    })
    response.once('prefinish', () => limitTaking(socket, response, pace))
  })
  // With a listener of ours the server itself ends nothing, so a request may wait for its answer.
  server.on('timeout', (socket: Socket) => {
    const isWorking = (connections.get(socket)?.inHand ?? 0) > 0
    // Reset: otherwise the system would keep unread bytes for minutes.
    if (socket.writableLength > 0) socket.resetAndDestroy()
    else if (!isWorking) socket.destroy()
  })
  return {
    end(arrivalMs, drainMs) {
      const arrived = runtime.after(arrivalMs, () => {
        for (const [socket, { inHand, last }] of connections) {
          // A half-sent answer acknowledges nothing.
          if (inHand === 0 || !last?.complete) socket.destroy()
        }
      })
      const drained = runtime.after(drainMs, () => server.closeAllConnections())
      return () => {
        arrived()
        drained()
      }
    },
  }
}

/** The oldest that has never sent a request; where there is none, the oldest that has nothing under way. */
function endSilent(connections: ReadonlyMap<Socket, Connection>): void {
  let idle: Socket | undefined
  for (const [socket, { inHand, last }] of connections) {
    if (inHand > 0) continue
    idle ??= socket
    if (last) continue
    socket.destroy()
    return
  }
  idle?.destroy()
}

/** A body that we do not read cannot arrive: that is not the sender's fault. */
function endTrickling(connections: ReadonlyMap<Socket, Connection>, { freeMs, bytesPerS }: Pace): void {
  const now = runtime.uptime()
  for (const [socket, connection] of connections) {
    const { inHand, last, since, before } = connection
    if (inHand === 0 || !last || last.complete) continue
    if (socket.isPaused()) connection.since = now
    else if (now - since > freeMs + ((socket.bytesRead - before) / bytesPerS) * 1000) socket.destroy()
  }
}

/** From when an answer is whole: what the system has not taken of it by then waits for the reader. */
function limitTaking(socket: Socket, response: ServerResponse, { freeMs, bytesPerS }: Pace): void {
  const waiting = socket.writableLength
  if (waiting === 0) return
  const callOff = runtime.after(freeMs + (waiting / bytesPerS) * 1000, () => socket.resetAndDestroy())
  response.once('close', callOff)
}
