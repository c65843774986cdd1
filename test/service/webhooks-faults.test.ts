import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { webhookTarget } from '../../src/domain/webhooks/webhook-address.ts'
import { createConnectionGuard, createConnections } from '../../src/service/webhooks/connections.ts'
import { post } from '../../src/service/webhooks/delivery-worker.ts'
import { emitEvents, type Subscribed } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { freePort, listening } from '../support/free-port.ts'
import { usualDatabases } from '../support/harness.ts'
import { loopbackGuard } from '../support/webhook-receiver.ts'

const attemptMs = 15_000

describe.each(usualDatabases)('receivers that misbehave, over $name (decisions 9)', (database) => {
  let delivering: Delivering
  let of: Subscribed
  beforeEach(async () => {
    delivering = await startDelivering(database)
    of = await delivering.subscribe()
  })
  afterEach(async () => {
    expect(delivering.errors).toEqual([])
    await delivering.close()
  })

  const outcome = async (subscribed = of) => {
    await delivering.worker.idle()
    const [delivery] = await delivering.deliveries(subscribed)
    return { status: delivery?.status, code: delivery?.response_code, error: delivery?.last_error }
  }
  const raw = (text: string) => (response: ServerResponse) => {
    response.socket?.end(text)
  }

  test('have failed after fifteen seconds without an answer', async () => {
    delivering.receiver.answer(() => {})
    await emitEvents(delivering.harness)
    await delivering.receiver.arrived(1)
    expect(await delivering.deliveries(of)).toMatchObject([{ status: 'pending', attempts: 0 }])
    delivering.timers.ring(attemptMs)
    expect(await outcome()).toEqual({ status: 'pending', code: null, error: 'No answer within 15 s.' })
  })

  test('keep their success if the body is still coming at the time limit', async () => {
    const { receiver } = delivering
    const abort = new AbortController()
    receiver.answer((response) => {
      response.writeHead(200, { 'retry-after': '5' }).write('the first of many')
    })
    const connections = createConnections(async (target, signal) => {
      const socket = await loopbackGuard()(target, signal)
      socket.once('data', () => setImmediate(() => abort.abort(new Error('late'))))
      return socket
    })
    const posting = { target: webhookTarget(receiver.url()), headers: {}, body: '{}' }
    const answer = post(connections, posting, abort.signal)
    expect(await answer).toMatchObject({ status: 200, headers: { 'retry-after': '5' } })
  })

  test('have at most 64 KiB read of an endless body', async () => {
    let cutOff = (): void => {}
    const isCutOff = new Promise<void>((resolve) => {
      cutOff = resolve
    })
    delivering.receiver.answer((response) => {
      response.writeHead(200)
      const flood = (): void => {
        while (response.write('x'.repeat(16_384)));
      }
      response.on('drain', flood)
      response.once('close', cutOff)
      flood()
    })
    await emitEvents(delivering.harness)
    expect(await outcome()).toEqual({ status: 'delivered', code: 200, error: null })
    await isCutOff
  })

  test.each([
    ['closes without an answer', '', 'The connection was closed before an answer arrived.'],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'The receiver’s answer is not HTTP.'],
    [
      'sends an endless head',
      `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
      'The receiver’s answer is not HTTP.',
    ],
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'The connection was closed before an answer arrived.',
    ],
  ])('have failed if they %s', async (_, text, error) => {
    delivering.receiver.answer(raw(text))
    await emitEvents(delivering.harness)
    expect(await outcome()).toEqual({ status: 'pending', code: null, error })
  })

  test('keep their success if the connection breaks after the head', async () => {
    delivering.receiver.answer(raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'))
    await emitEvents(delivering.harness)
    expect(await outcome()).toEqual({ status: 'delivered', code: 200, error: null })
  })

  test('are told apart: a closed port, a name that is gone, a port without TLS', async () => {
    const plain = createServer((socket) => socket.resume().end('hello\r\n'))
    const port = await listening(plain)
    const closed = await freePort()
    const faults: Array<[string, string]> = [
      [`https://receiver.test:${closed}/`, 'The connection was refused.'],
      ['https://gone.partner.test/', 'The host name does not resolve.'],
      [`https://receiver.test:${port}/`, 'The receiver does not speak TLS as expected.'],
    ]
    const subscribed = await Promise.all(faults.map(([url]) => delivering.subscribe({ url })))
    await emitEvents(delivering.harness)
    for (const [i, [, error]] of faults.entries()) {
      expect(await outcome(subscribed[i])).toEqual({ status: 'pending', code: null, error })
    }
    await new Promise((resolve) => plain.close(resolve))
  })

  test('are not reached in production if they turned private since they were set', async () => {
    await delivering.worker.stop(0)
    const guard = createConnectionGuard({ resolve: async () => ['127.0.0.1'] })
    const production = delivering.makeWorker({ guard })
    production.start()
    await emitEvents(delivering.harness)
    await production.idle()
    expect(await outcome()).toEqual({
      status: 'pending',
      code: null,
      error: 'The host resolves to an address that is not allowed: it must be public.',
    })
    expect(delivering.receiver.connections()).toBe(0)
    await production.stop(0)
  })
})
