import { createServer } from 'node:net'
import { join } from 'node:path'
import { execaNode } from 'execa'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { emitEvents } from '../support/deliveries.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { listening } from '../support/free-port.ts'
import { databases } from '../support/harness.ts'

/** How long a delivery belongs to one process (ruling 9). */
const leaseMs = 60_000

const script = join(inject('made'), 'webhook-process.mjs')

describe('a killed delivery process (decisions 9)', () => {
  let delivering: Delivering
  let child: { kill(signal: 'SIGKILL'): unknown } | undefined
  beforeEach(async () => {
    delivering = await startDelivering(databases[0]!)
    await delivering.worker.stop(0)
  })
  afterEach(async () => {
    // If a test failed before it killed the process, the run would wait for it.
    child?.kill('SIGKILL')
    await delivering.close()
  })

  const startProcess = (env: Record<string, string> = {}) => {
    const { file } = delivering.harness.db as unknown as { file: string }
    const now = String(delivering.harness.sources.clock())
    const options = { env, reject: false, nodeOptions: [], ipc: false } as const
    const started = execaNode(script, [file, now], { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
    child = started
    return {
      /** Waits for `count` of its requests; the process must not end before. */
      async posts(count: number): Promise<void> {
        const early = started.then(() => Promise.reject(new Error('the process ended by itself')))
        await Promise.race([delivering.receiver.arrived(count), early])
      },
      async kill(): Promise<void> {
        started.kill('SIGKILL')
        await started
      },
    }
  }

  test('has its current and waiting deliveries made after kill -9', async () => {
    const { harness, receiver, makeWorker } = delivering
    const of = await delivering.subscribe()
    const events = await emitEvents(harness, 12)
    receiver.answer(() => {})
    const worker = startProcess()
    await worker.posts(8)
    await worker.kill()
    expect((await delivering.deliveries(of)).map(({ status }) => status)).toEqual(Array(12).fill('pending'))
    receiver.answer(200)
    const next = makeWorker()
    next.start()
    await next.idle()
    expect(receiver.received).toHaveLength(8)
    harness.pass(leaseMs)
    harness.service.signal.notify(harness.scope.id)
    await next.idle()
    const ids = receiver.received.slice(8).map(({ headers }) => headers['webhook-id'])
    expect(ids.sort()).toEqual(events.map(({ id }) => id).sort())
    expect((await delivering.deliveries(of)).every(({ status }) => status === 'delivered')).toBe(true)
    await next.stop(0)
  })

  test('ignores a proxy named in the environment', async () => {
    let proxied = 0
    const proxy = createServer((socket) => {
      proxied += 1
      socket.destroy()
    })
    const address = `http://127.0.0.1:${await listening(proxy)}`
    await delivering.subscribe()
    await emitEvents(delivering.harness)
    const worker = startProcess({
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: address,
      HTTP_PROXY: address,
      ALL_PROXY: address,
      NO_PROXY: '',
    })
    await worker.posts(1)
    await worker.kill()
    expect(proxied).toBe(0)
    await new Promise((resolve) => proxy.close(resolve))
  })
})
