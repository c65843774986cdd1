import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LoggedEvent } from '../../../src/cli/events/event-pages.ts'
import { forwardHandler } from '../../../src/cli/events/forward-handler.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'
import { makeSecret, secretBytes } from '../../../src/domain/webhooks/webhook-signature.ts'
import { runtime } from '../../../src/runtime/runtime.ts'
import { listening } from '../../support/free-port.ts'
import { type ManualTimers, manualTimers } from '../../support/manual-timers.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

const secret = makeSecret(new Uint8Array(secretBytes).fill(7))
const text = '{ "id":"e1", "type":"transfer.requested", "n":1.0, "s":"\\u00e9ü" }'
const logged: LoggedEvent = { event: JSON.parse(text) as WebhookEvent, text: () => text }

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void
let server: Server
let origin: string
let behave: Behaviour
let timers: ManualTimers
let received: Array<{ headers: IncomingMessage['headers']; path: string | undefined; body: string }>

beforeEach(async () => {
  received = []
  timers = manualTimers()
  vi.spyOn(runtime, 'after').mockImplementation(timers.after)
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, path: request.url, body: Buffer.concat(chunks).toString() })
    behave(response, request)
  })
  origin = `http://127.0.0.1:${await listening(server)}`
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function post(to = `${origin}/hook?a=1`): Promise<void> {
  const handler = forwardHandler({ url: new URL(to), secret, now: () => Date.now() })
  return handler(logged, 1)
}

describe('a forwarded event', () => {
  test("is its exact bytes, signed so that the standard's verifier accepts them", async () => {
    behave = (response) => response.writeHead(204).end()
    await post()
    const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = received
    expect([body, path]).toEqual([text, '/hook?a=1'])
    expect(headers).toMatchObject({ 'webhook-id': 'e1', 'content-type': 'application/json' })
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(text))
  })

  test.each<[string, Behaviour]>([
    ['200', (response) => response.writeHead(200).end('thanks')],
    ['299', (response) => response.writeHead(299).end()],
    [
      'an endless answer',
      (response) => {
        onceHeadArrives(() => timers.ring(15_000))
        response.writeHead(200).write('x')
      },
    ],
    [
      'a long answer',
      (response) => {
        response.writeHead(200)
        const more = (): boolean => !response.destroyed && response.write(Buffer.alloc(65_536), more)
        more()
      },
    ],
    ['an answer that breaks off', (response) => response.writeHead(200).write('x', () => response.destroy())],
  ])('is accepted: %s', async (_, behaviour) => {
    behave = behaviour
    await post()
    expect(received).toHaveLength(1)
  })

  test.each<[string, Behaviour, string]>([
    ['500', (response) => response.writeHead(500).end(), 'answered 500'],
    ['404', (response) => response.writeHead(404).end(), 'answered 404'],
    ['304', (response) => response.writeHead(304).end(), 'answered 304'],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
      'answered 307, a redirect, which custody does not follow',
    ],
    ['no answer', () => timers.ring(15_000), 'did not answer within 15 s'],
    ['a broken connection', (_, request) => request.socket.destroy(), 'was lost'],
    [
      'something other than HTTP',
      (_, request) => request.socket.end('nonsense\r\n\r\n'),
      'does not speak http',
    ],
  ])('is not accepted: %s', async (_, behaviour, message) => {
    behave = behaviour
    await expect(post()).rejects.toThrow(message)
    expect(received).toHaveLength(1)
  })

  test('fails if nobody listens or the certificate cannot be trusted', async () => {
    await expect(post('http://127.0.0.1:9')).rejects.toThrow(/^nothing answers at http:\/\/127\.0\.0\.1:9 \(/)
    const receiver = await startReceiver()
    const address = `https://127.0.0.1:${receiver.port}`
    await expect(post(address)).rejects.toThrow(
      new RegExp(
        `^the certificate of ${address} is not trusted .*If it is your own, pass --insecure-forward`,
      ),
    )
    expect(receiver.received).toEqual([])
    await receiver.close()
  })

  test('tells how long the receiver wants to be left alone', async () => {
    behave = (response) => response.writeHead(503, { 'retry-after': '120' }).end()
    await expect(post()).rejects.toMatchObject({ name: 'HandlerFailure', askedMs: 120_000 })
  })
})

/** Runs in the turn after the client has read an answer's head. */
function onceHeadArrives(run: () => void): void {
  const arrived = (): void => {
    unsubscribe('undici:request:headers', arrived)
    setImmediate(run)
  }
  subscribe('undici:request:headers', arrived)
}
