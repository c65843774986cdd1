import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { runtime } from '../../runtime/runtime.ts'

/** Up to this many bytes of an unread body are read and discarded instead of ending the connection. */
const skippedBytesMax = 64 * 1024
/** How long a sender that was refused may go on sending before the connection is cut, in milliseconds. */
const lingerMs = 2_000

/** Discards the rest of an unfinished body, which would hold up the next request on the connection. */
export function endsUnread(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.complete || request.readableLength > 0) discard(request)
  if (request.complete || !isLongBody(request.headers)) return false
  if (response.socket) linger(response.socket)
  return true
}

function isLongBody(headers: IncomingHttpHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > skippedBytesMax
}

/** After a long body was refused unread, the connection ends with the answer, but not at once. */
export function linger(socket: Socket): void {
  socket.destroySoon = () => endSoon(socket)
}

/**
 * Ends a connection once its sender has had time to read the answer: if it were cut at once, the bytes still in flight would
 * make the sender's system discard the answer.
 */
export function endSoon(socket: Socket): void {
  socket.end()
  socket.resume()
  const callOff = runtime.after(lingerMs, () => socket.destroy())
  socket.once('close', callOff)
}

/** Reads what nobody wants in turns: left to itself, Node.js reads 2 MB of each sender before anything else. */
function discard(unread: Readable): void {
  unread.on('data', () => {
    unread.pause()
    void yieldToEventLoop().then(() => unread.resume())
  })
  unread.resume()
}
