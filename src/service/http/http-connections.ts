import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { every, runtime } from '../../runtime/runtime.ts'

/** Share of the allowed connections from which silent ones are closed to make room. */
const roomyShare = 0.9

/** Minimum transfer rate: everything within `freeMs` plus one second per `bytesPerS` bytes. */
export type Pace = { freeMs: number; bytesPerS: number }

/** Slower than any modem. A slow reader can hold megabytes of the process's memory. */
export const slowestTaking: Pace = { freeMs: 60_000, bytesPerS: 4096 }
const slowestArrival: Pace = { freeMs: 10_000, bytesPerS: 4096 }
const lookMs = 2_000

/** `since`: when its last request began to arrive; `before`: the connection's bytes read by then. */
type Connection = { inHand: number; last: IncomingMessage | undefined; since: number; before: number }

type Connections = {
  /** Closes connections without a whole request after `arrivalMs`, others once answered, all after `drainMs`. Cancellable. */
  end(arrivalMs: number, drainMs: number): () => void
}

type Options = { pace?: Pace; arrivalPace?: Pace }

/** Closes idle connections, slow readers, slow senders and, near the limit, one silent connection for each new one. */
export function watchConnections(
  server: Server,
  { pace = slowestTaking, arrivalPace = slowestArrival }: Options,
): Connections {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    if (connections.size >= roomyShare * server.maxConnections) endSilent(connections)
    socket.setMaxListeners(50)
    connections.set(socket, { inHand: 0, last: undefined, since: 0, before: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const stopWatching = every(Math.min(lookMs, arrivalPace.freeMs), () => endSlow(connections, arrivalPace))
  server.once('close', stopWatching)
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
  // With this listener the server closes nothing by itself, so a request may wait for its response.
  server.on('timeout', (socket: Socket) => {
    const isWorking = (connections.get(socket)?.inHand ?? 0) > 0
    // A reset, because the system would otherwise keep unread bytes for minutes.
    if (socket.writableLength > 0) socket.resetAndDestroy()
    else if (!isWorking) socket.destroy()
  })
  return {
    end(arrivalMs, drainMs) {
      const arrived = runtime.after(arrivalMs, () => {
        for (const [socket, { inHand, last }] of connections) {
          // A half-sent response acknowledges nothing.
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

/** A body that the service does not read cannot arrive; its sender is not at fault. */
function endSlow(connections: ReadonlyMap<Socket, Connection>, { freeMs, bytesPerS }: Pace): void {
  const now = runtime.uptime()
  for (const [socket, connection] of connections) {
    const { inHand, last, since, before } = connection
    if (inHand === 0 || !last || last.complete) continue
    if (socket.isPaused()) connection.since = now
    else if (now - since > freeMs + ((socket.bytesRead - before) / bytesPerS) * 1000) socket.destroy()
  }
}

/** Starts once the whole response is written: bytes that the system has not accepted by then wait for the reader. */
function limitTaking(socket: Socket, response: ServerResponse, { freeMs, bytesPerS }: Pace): void {
  const waiting = socket.writableLength
  if (waiting === 0) return
  const callOff = runtime.after(freeMs + (waiting / bytesPerS) * 1000, () => socket.resetAndDestroy())
  response.once('close', callOff)
}
