import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { runtime } from '../../runtime/runtime.ts'

const skippedBytesMax = 64 * 1024
/** How long a rejected sender may go on sending before the connection is cut, in milliseconds. */
const lingerMs = 2_000

/** Discards the rest of an unfinished body, which would block the connection's next request. */
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

export function linger(socket: Socket): void {
  socket.destroySoon = () => endSoon(socket)
}

/** Cutting the connection at once would make the sender's system discard the response while its bytes are still in flight. */
export function endSoon(socket: Socket): void {
  socket.end()
  socket.resume()
  const callOff = runtime.after(lingerMs, () => socket.destroy())
  socket.once('close', callOff)
}

/** Yields between chunks: by default, Node.js reads 2 MB from each sender before doing anything else. */
function discard(unread: Readable): void {
  unread.on('data', () => {
    unread.pause()
    void yieldToEventLoop().then(() => unread.resume())
  })
  unread.resume()
}
