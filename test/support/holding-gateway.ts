import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from './free-port.ts'
import type { Operator } from './operator.ts'
import { serve } from './served.ts'

type Answer = { status: number; headers: Headers; body: Buffer | string }

/** A gateway in front of a service that can hold a request or its answer. */
type HoldingGateway = {
  baseUrl: string
  /**
   * Holds the next POST to a path, and resolves once it is there. `pass` gives it to the service, at once or later, while
   * nobody hears its answer; with `pass(true)` the caller does.
   */
  hold(path: string): Promise<{ pass(isHeard?: boolean): Promise<Answer> }>
  /** Answers the next POST to a path itself, like a service that rejects a request before carrying it out. */
  reject(path: string, answer: Answer): void
  close(): Promise<void>
}

type Taken = (pass: () => Promise<Answer>, response: ServerResponse) => void

/** The operator's own database, served behind a gateway; `env` points commands at it. */
export async function serveBehindGateway(operator: Operator) {
  const served = await serve(operator, { isOwn: true })
  const gateway = await startHoldingGateway(served.baseUrl)
  const env = { CUSTODY_DATABASE: '', CUSTODY_BASE_URL: gateway.baseUrl, CUSTODY_API_KEY: served.key }
  const stop = async (): Promise<void> => {
    await gateway.close()
    await served.stop()
  }
  return { served, gateway, env, stop }
}

export type Behind = Awaited<ReturnType<typeof serveBehindGateway>>

/** Starts a gateway between a client and a service. */
async function startHoldingGateway(serviceUrl: string): Promise<HoldingGateway> {
  let held: { path: string; take: Taken } | undefined
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const pass = () => forwarded(serviceUrl, request, body)
    if (held && request.method === 'POST' && request.url?.endsWith(held.path)) {
      held.take(pass, response)
      held = undefined
      return
    }
    answer(response, await pass())
  })
  const { pathname } = new URL(serviceUrl)
  return {
    baseUrl: `http://127.0.0.1:${await listening(server)}${pathname}`,
    async hold(path) {
      const { promise, resolve } = Promise.withResolvers<(isHeard?: boolean) => Promise<Answer>>()
      const take: Taken = (pass, response) =>
        resolve(async (isHeard) => {
          const given = await pass()
          if (isHeard) answer(response, given)
          return given
        })
      held = { path, take }
      return { pass: await promise }
    },
    reject(path, rejection) {
      held = { path, take: (_, response) => answer(response, rejection) }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function forwarded(
  serviceUrl: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const kept = ['x-api-key', 'content-type', 'idempotency-key', 'accept']
  const sent = kept.flatMap((name) =>
    headers[name] ? [[name, String(headers[name])] as [string, string]] : [],
  )
  const reply = await fetch(new URL(url, serviceUrl), {
    method,
    headers: sent,
    ...(body.length > 0 && { body }),
  })
  return { status: reply.status, headers: reply.headers, body: Buffer.from(await reply.arrayBuffer()) }
}

function answer(response: ServerResponse, { status, headers, body }: Answer): void {
  const sent = [...headers].filter(
    ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name),
  )
  response.writeHead(status, sent.flat())
  response.end(body)
}
