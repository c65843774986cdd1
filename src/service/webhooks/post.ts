import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { AttemptFault } from './attempt-fault.ts'

/** What is sent: over a connection of its own, closed afterwards. */
export type Posting = { host: string; path: string; headers: Record<string, string>; body: string }
export type Answer = { status: number; retryAfter: string | undefined }

/** Bytes of an answer's body that are read; nothing in it is used. */
export const answerBytesMax = 64 * 1024

/**
 * Posts over a connection that is open already. The status decides, so an answer whose body is cut off, at 64 KiB or by
 * the abort, still is one. A redirect is an answer like any other: it is never followed.
 */
export function post(socket: TLSSocket, posting: Posting, abort: AbortSignal): Promise<Answer> {
  const http = process.getBuiltinModule('node:http')
  const body = Buffer.from(posting.body)
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined
    const request = http.request({
      // Given a connection, the request asks no agent for one: nothing is kept alive, no proxy is in between.
      createConnection: () => socket,
      method: 'POST',
      path: posting.path,
      setHost: false,
      headers: { host: posting.host, ...posting.headers, 'content-length': body.length, connection: 'close' },
    })
    const stop = (): void => {
      request.destroy(abort.reason)
    }
    const finish = (): void => {
      abort.removeEventListener('abort', stop)
      if (answer) resolve(answer)
      else reject(new AttemptFault('The connection was closed before an answer came.'))
      request.destroy()
    }
    request.once('error', (error) => (answer ? finish() : reject(error)))
    request.once('close', finish)
    request.once('response', (response) => {
      answer = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
      readAtMost(response, answerBytesMax, finish)
    })
    abort.addEventListener('abort', stop, { once: true })
    if (abort.aborted) stop()
    request.end(body)
  })
}

/** Reads and forgets, until the end, the limit or a fault. */
function readAtMost(response: IncomingMessage, bytes: number, done: () => void): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read >= bytes) done()
  })
  response.once('close', done)
  response.on('error', () => {})
}
