import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestOf } from 'node:http'
import { listening } from './free-port.ts'

export const wirePoints = [
  'before the request',
  'after half of the request',
  'after the request',
  'before the answer',
  'after half of the answer',
  'after the answer',
] as const

/** `exchange`: which POST from now on, from 1. `kill` resolves when the client is dead. */
type PlannedKill = { exchange: number; point: (typeof wirePoints)[number]; kill: () => Promise<unknown> }

/** A gateway in front of a service that kills the client at a planned point of an exchange. */
export async function startKillingGateway(serviceUrl: string) {
  let planned: PlannedKill | undefined
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    const isPlanned = request.method === 'POST' && planned !== undefined && --planned.exchange === 0
    const plan = isPlanned ? planned : undefined
    const dies = async (point: PlannedKill['point']): Promise<boolean> => {
      if (plan?.point !== point) return false
      await plan.kill()
      return true
    }
    try {
      const body = Buffer.concat(await request.toArray())
      if (await dies('before the request')) return
      const { method, url = '', headers } = request
      const upstream = requestOf(new URL(url, serviceUrl), { method, headers })
      const answered = once(upstream, 'response') as Promise<[IncomingMessage]>
      answered.catch(() => {})
      const half = body.length >> 1
      if (half > 0)
        await new Promise<void>((written) => void upstream.write(body.subarray(0, half), () => written()))
      if (await dies('after half of the request')) return void upstream.destroy()
      upstream.end(body.subarray(half))
      await dies('after the request')
      const [answer] = await answered
      const bytes = Buffer.concat(await answer.toArray())
      if (await dies('before the answer')) return
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      response.write(bytes.subarray(0, bytes.length >> 1))
      if (await dies('after half of the answer')) return
      response.end(bytes.subarray(bytes.length >> 1))
      await once(response, 'finish')
      await dies('after the answer')
    } catch {
      // The client died in another exchange.
    } finally {
      if (!response.writableEnded) response.destroy()
    }
  })
  const { pathname } = new URL(serviceUrl)
  return {
    baseUrl: `http://127.0.0.1:${await listening(server)}${pathname}`,
    plan(kill: PlannedKill): void {
      planned = kill
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type KillingGateway = Awaited<ReturnType<typeof startKillingGateway>>
