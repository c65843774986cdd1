import type { Dispatcher } from 'undici'
import send from 'undici/lib/api/api-request.js'
import Client from 'undici/lib/dispatcher/client.js'

type Request = Parameters<typeof send>[0]
export type AnswerHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>
type Answer = AnswerHead & { text: string }
export type Connections = (request: Request) => Promise<Answer>

/**
 * The connections to a service, as many as it has requests at a time. By undici's own files for HTTP/1.1: all of it, with
 * HTTP/2, fetch, WebSocket and caches, takes 48 ms to load. (Its `Pool` takes a connection whose answer has just been read
 * for a busy one, and opens a second.)
 */
export function openConnections(origin: string, idleMs: number): Connections {
  const idle: Client[] = []
  return async (request) => {
    const client =
      idle.pop() ?? new Client(origin, { allowH2: false, headersTimeout: idleMs, bodyTimeout: idleMs })
    try {
      const { statusCode, headers, body } = await send.call(client, request)
      return { statusCode, headers, text: await body.text() }
    } finally {
      idle.push(client)
    }
  }
}

/**
 * One request over a connection of its own. Its head is the answer, also where its body does not end: of that no more than
 * `bytesMax` is read, and nothing kept.
 */
export async function requestOnce(origin: string, request: Request, bytesMax: number): Promise<AnswerHead> {
  const client = new Client(origin, { allowH2: false })
  try {
    const { statusCode, headers, body } = await send.call(client, request)
    await body.dump({ limit: bytesMax, ...(request.signal && { signal: request.signal }) }).catch(() => {})
    return { statusCode, headers }
  } finally {
    void client.destroy()
  }
}
