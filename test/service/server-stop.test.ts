import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../src/service/http/server.ts'
import { createLog } from '../../src/service/observe/log.ts'
import type { Database } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { manualTimers } from '../support/manual-timers.ts'

describe.each(databases)('a server over $name', (database) => {
  const harness = forEachTest(harnessWith(database))
  let server: RunningServer
  const log: Array<Record<string, unknown>> = []
  beforeEach(async () => {
    log.length = 0
  })

  const start = async (more: Partial<ServerOptions> = {}): Promise<void> => {
    server = await startServer({
      db: harness.db,
      environment: 'sandbox',
      sources: harness.sources,
      settings: defaultSettings,
      log: createLog({ write: (line) => log.push(JSON.parse(line)) }),
      host: '127.0.0.1',
      port: 0,
      metricsPort: 0,
      idempotencyMs: 86_400_000,
      timers: manualTimers(),
      ...more,
    })
  }
  const connectTo = async (address = ''): Promise<Socket> => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').resume()
    await once(socket, 'connect')
    return socket
  }
  /** A request as bytes, until the service ends the connection. */
  const ask = async (bytes: string): Promise<string> => {
    const socket = await connectTo(server.address)
    let text = ''
    socket.on('data', (chunk) => (text += chunk)).write(bytes)
    await once(socket, 'close')
    return text
  }

  test('stops despite idle connections', async () => {
    await start()
    const socket = await connectTo(server.metricsAddress)
    const closed = once(socket, 'close')
    expect(await server.stop()).toBe(true)
    await closed
  })

  test('stops without a database that does not respond, and says so', async () => {
    let isStill = false
    const still = <T>(run: () => Promise<T>): Promise<T> => (isStill ? new Promise(() => {}) : run())
    const db: Database = {
      ...harness.db,
      read: (fn, how) => still(() => harness.db.read(fn, how)),
      write: (fn, how) => still(() => harness.db.write(fn, how)),
    }
    await start({ db, drainMs: 60, lastWordsMs: 20 })
    isStill = true
    const asked = fetch(`${server.address}/v1/items`, { headers: { 'x-api-key': harness.key } })
    const rejected = expect(asked).rejects.toThrow()
    expect(await server.stop()).toBe(false)
    await rejected
  })

  test('counts and logs what it rejects unread, and logs only failures of /healthz', async () => {
    await start()
    const last = 'Connection: close\r\n\r\n'
    await ask('hello\r\n\r\n')
    await ask(`GET /healthz HTTP/1.1\r\nHost: a\r\n${last}`)
    await ask(`GET /healthz HTTP/1.1\r\n${last}`)
    await ask(`GET /v1/items HTTP/1.1\r\nX-Request-Id: mine\r\n${last}`)
    const requests = log.filter(({ msg }) => msg === 'request')
    expect(requests).toMatchObject([{ operation: 'unknown', status: 400, address: '127.0.0.1' }])
    const metrics = await (await fetch(server.metricsAddress ?? '')).text()
    for (const labels of [
      'operation="unknown",status="400"',
      'operation="healthz",status="200"',
      'operation="healthz",status="400"',
      'operation="listItems",status="400"',
    ]) {
      expect(metrics).toContain(`custody_requests_total{${labels}} 1\n`)
    }
    await server.stop()
    expect(log).toContainEqual(
      expect.objectContaining({ msg: 'requests without a valid key', address: '127.0.0.1', count: 2 }),
    )
  })
})
