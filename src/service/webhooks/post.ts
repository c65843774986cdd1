import type { Agent, IncomingMessage } from 'node:http'
import type { RetryHeaders } from '../../contract/call.ts'
import type { WebhookTarget } from '../../domain/webhooks/webhook-address.ts'
import { AttemptFault } from './attempt-fault.ts'
import type { Dialled } from './connections.ts'

/** What is sent, and where to. */
type Posting = { target: WebhookTarget; headers: Record<string, string>; body: string }
type Answer = { status: number; headers: RetryHeaders }

/** How much of an answer's body is read; nothing in it is used. */
const answerBytesMax = 64 * 1024

/**
 * Posts over a connection that is kept for the next one. The status decides, so an answer whose body is cut off, at 64 KiB
 * or by the abort, still is one. A redirect is an answer like any other: it is never followed. A kept connection that
 * the receiver has closed meanwhile says nothing about it: another is taken, at last a new one.
 */
export async function post(connections: Agent, posting: Posting, abort: AbortSignal): Promise<Answer> {
  for (;;) {
    const answer = await postOnce(connections, posting, abort)
    if (answer !== 'stale') return answer
  }
}

function postOnce(
  connections: Agent,
  { target, headers, body: text }: Posting,
  abort: AbortSignal,
): Promise<Answer | 'stale'> {
  const http = process.getBuiltinModule('node:http')
  const body = Buffer.from(text)
  const options: Dialled = {
    agent: connections,
    target,
    abort,
    host: target.authority,
    port: target.port,
    method: 'POST',
    path: target.path,
    setHost: false,
    headers: { host: target.authority, ...headers, 'content-length': body.length },
  }
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined
    const request = http.request(options)
    const stop = (): void => {
      request.destroy(abort.reason)
    }
    const finish = (error?: Error): void => {
      abort.removeEventListener('abort', stop)
      if (answer) resolve(answer)
      else if (request.reusedSocket && !abort.aborted) resolve('stale')
      else reject(error ?? new AttemptFault('The connection was closed before an answer came.'))
    }
    request.once('error', finish)
    request.once('close', () => finish())
    request.once('response', (response) => {
      answer = { status: response.statusCode ?? 0, headers: response.headers }
      readAtMost(response, answerBytesMax, () => {
        if (!response.complete) request.destroy()
        finish()
      })
    })
    abort.addEventListener('abort', stop, { once: true })
    if (abort.aborted) stop()
    request.end(body)
  })
}

/** Reads and discards, until the end, the limit or a fault. */
function readAtMost(response: IncomingMessage, bytes: number, done: () => void): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read >= bytes) done()
  })
  response.once('close', done)
  response.on('error', () => {})
}
