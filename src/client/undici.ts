import type { Dispatcher } from 'undici'
import send from 'undici/lib/api/api-request.js'
import Client from 'undici/lib/dispatcher/client.js'

export type Request = Parameters<typeof send>[0]
export type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { text: string }
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
