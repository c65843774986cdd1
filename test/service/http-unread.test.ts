import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { runtime } from '../../src/runtime/runtime.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'

const [database] = databases
const megabyte = 1_000_000
const senders = 16

describe('unwanted bytes from many clients are read a little in each turn of the event loop', () => {
  let harness: Harness
  let http: HttpHarness
  const served: Socket[] = []
  const sockets: Socket[] = []
  beforeAll(async () => {
    harness = await startHarness(database!)
    http = await startHttp(harness)
    http.server.on('connection', (socket) => served.push(socket))
  })
  afterEach(() => {
    vi.restoreAllMocks()
    for (const socket of [...served.splice(0), ...sockets.splice(0)]) socket.destroy()
  })
  afterAll(async () => {
    await http.close()
    await harness.close()
  })

  const send = (head: string): void => {
    const socket = connect(http.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    socket.write(head)
    for (let at = 0; at < 20; at++) socket.write(Buffer.alloc(megabyte))
    sockets.push(socket)
  }
  const read = (): number => served.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  /** The most bytes read in one turn, of that many in all, or until the service has ended all connections. */
  const mostAtOnce = async (all: number): Promise<number> => {
    let most = 0
    const isOpen = (): boolean => served.some(({ destroyed }) => !destroyed)
    for (let before = read(), now = before; now < all && isOpen(); before = now) {
      await setImmediate()
      now = read()
      most = Math.max(most, now - before)
    }
    return most
  }

  test.each([
    [
      'the body of a rejected upload',
      'POST /v1/products/csv HTTP/1.1\r\nHost: a\r\nX-API-Key: x\r\nContent-Length: 20000000\r\n\r\n',
    ],
    ['the bytes after a CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s', async (_, head) => {
    for (let at = 0; at < senders; at++) send(head)
    await vi.waitUntil(() => read() > megabyte, { timeout: 60_000 })
    // Each turn ends as soon as it has begun.
    let now = runtime.uptime()
    vi.spyOn(runtime, 'uptime').mockImplementation(() => {
      now += 5
      return now
    })
    expect(await mostAtOnce(30 * megabyte)).toBeLessThan(2 * megabyte)
  })
})
