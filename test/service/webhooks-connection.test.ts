import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { webhookTarget } from '../../src/domain/webhooks/webhook-address.ts'
import {
  createConnectionGuard,
  createConnections,
  type GuardAllowance,
  publicAddressesOnly,
} from '../../src/service/webhooks/connections.ts'
import { post } from '../../src/service/webhooks/delivery-worker.ts'
import {
  loopbackGuard,
  type Receiver,
  receiverCertificate,
  startReceiver,
} from '../support/webhook-receiver.ts'

const notAllowed = 'The host resolves to an address that is not allowed: it must be public.'

describe('the address rule at every connection (4.7)', () => {
  let receiver: Receiver
  const noAbort = new AbortController().signal
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await receiver.close()
  })

  const loopback = (address: string): boolean => address.startsWith('127.0.0.')
  /** Connects as a delivery would; returns the error, or nothing if the connection succeeded. */
  const dial = async (url: string, allowance: GuardAllowance = {}, abort = noAbort): Promise<unknown> => {
    try {
      const socket = await createConnectionGuard(allowance)(webhookTarget(url), abort)
      socket.destroy()
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : error
    }
  }
  const leadingTo = (...addresses: string[]): GuardAllowance => ({ resolve: async () => addresses })
  const trusted = receiverCertificate()

  test('rejects a loopback literal in production before anything is dialled', async () => {
    expect(await dial(`https://127.0.0.1:${receiver.port}/`)).toBe(notAllowed)
    expect(await dial(`https://[::1]:${receiver.port}/`)).toBe(notAllowed)
    expect(receiver.connections()).toBe(0)
  })

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00:ec2::254',
  ])('rejects a name that leads to %s before anything is dialled', async (address) => {
    expect(await dial(receiver.url(), leadingTo(address))).toBe(notAllowed)
    expect(receiver.connections()).toBe(0)
  })

  test('rejects all addresses if one of them is not public', async () => {
    expect(await dial(receiver.url(), leadingTo('93.184.216.34', '127.0.0.1'))).toBe(notAllowed)
    expect(await dial(receiver.url(), leadingTo('127.0.0.1', '93.184.216.34'))).toBe(notAllowed)
    expect(receiver.connections()).toBe(0)
  })

  test('does not dial a name that does not resolve', async () => {
    expect(await dial(receiver.url(), leadingTo())).toBe('The host name does not resolve.')
  })

  test("rejects this machine's addresses, public or not", () => {
    const isAllowed = publicAddressesOnly(() => ['93.184.216.34', '2606:4700::1', 'fe80::1%eth0'])
    expect(isAllowed('93.184.216.34')).toBe(false)
    expect(isAllowed('2606:4700:0:0::1')).toBe(false)
    expect(isAllowed('93.184.216.35')).toBe(true)
  })

  test('looks a name up once, and dials what it judged', async () => {
    const asked: string[] = []
    const resolve = async (hostname: string): Promise<string[]> => {
      asked.push(hostname)
      return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.9']
    }
    expect(await dial(receiver.url('rebinding'), { resolve, rule: loopback, trusted })).toBeUndefined()
    expect(asked).toEqual(['rebinding.receiver.test'])
    expect(receiver.connections()).toBe(1)
  })

  test('dials the next address if one does not answer', async () => {
    const allowance = { ...leadingTo('127.0.0.2', '127.0.0.1'), rule: loopback, trusted }
    expect(await dial(receiver.url(), allowance)).toBeUndefined()
  })

  test('judges the peer again once connected, before a byte is sent', async () => {
    const judged: string[] = []
    const onlyOnce = (address: string): boolean => {
      judged.push(address)
      return judged.length === 1
    }
    expect(await dial(receiver.url(), { ...leadingTo('127.0.0.1'), rule: onlyOnce, trusted })).toBe(
      notAllowed,
    )
    expect(judged).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(receiver.received).toEqual([])
  })

  test('holds for a new connection each time', async () => {
    const allowance = { ...leadingTo('127.0.0.1'), rule: loopback, trusted }
    for (const count of [1, 2, 3]) {
      expect(await dial(receiver.url(), allowance)).toBeUndefined()
      expect(receiver.connections()).toBe(count)
    }
  })

  test('rejects an untrusted certificate, whatever the environment says', async () => {
    const message = /self-signed certificate/
    expect(await dial(receiver.url(), { ...leadingTo('127.0.0.1'), rule: loopback })).toMatch(message)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    expect(await dial(receiver.url(), { ...leadingTo('127.0.0.1'), rule: loopback })).toMatch(message)
  })

  test('rejects a certificate of another name', async () => {
    const other = `https://another.test:${receiver.port}/`
    const allowance = { ...leadingTo('127.0.0.1'), rule: loopback, trusted }
    expect(await dial(other, allowance)).toMatch(/does not match certificate/)
  })

  test('ends a lookup on abort', async () => {
    const abort = new AbortController()
    const waiting = dial(
      receiver.url(),
      { resolve: () => new Promise(() => {}), rule: loopback },
      abort.signal,
    )
    abort.abort(new Error('enough'))
    expect(await waiting).toBe('enough')
    expect(await dial(receiver.url(), { ...leadingTo('127.0.0.1'), rule: loopback }, abort.signal)).toBe(
      'enough',
    )
  })
})

describe('connections that are kept (decisions 9)', () => {
  let receiver: Receiver
  let connections: ReturnType<typeof createConnections>
  beforeEach(async () => {
    receiver = await startReceiver()
    connections = createConnections(loopbackGuard())
  })
  afterEach(async () => {
    connections.destroy()
    await receiver.close()
  })

  const send = (name?: string, abort = new AbortController().signal) =>
    post(connections, { target: webhookTarget(receiver.url(name)), headers: {}, body: '{}' }, abort)
  const ok = expect.objectContaining({ status: 204 })

  test('serve the next attempt at the same host and port, and another host has its own', async () => {
    for (let n = 0; n < 5; n++) expect(await send()).toEqual(ok)
    expect(receiver.connections()).toBe(1)
    expect(await send('other')).toEqual(ok)
    expect(receiver.connections()).toBe(2)
    expect(receiver.received.map(({ headers }) => headers.connection)).toEqual(Array(6).fill('keep-alive'))
  })

  test('fail no attempt if the receiver closed them: a new one is dialled', async () => {
    expect(await Promise.all([send(), send(), send()])).toEqual([ok, ok, ok])
    let fresh = 0
    receiver.answer((response) => {
      if (receiver.connections() === 3) response.socket?.destroy()
      else response.writeHead(200).end()
      fresh += 1
    })
    expect(await send()).toMatchObject({ status: 200 })
    expect([fresh, receiver.connections()]).toEqual([4, 4])
  })

  test('are not retried if a new one closes without an answer, which is a failure', async () => {
    receiver.answer((response) => response.socket?.destroy())
    await expect(send()).rejects.toThrow(/socket hang up|closed/)
    expect(receiver.received).toHaveLength(1)
  })

  test('are not used again after an answer was cut off', async () => {
    receiver.answer((response) => void response.writeHead(200).write('x'.repeat(64 * 1024 + 1)))
    expect(await send()).toMatchObject({ status: 200 })
    receiver.answer(204)
    expect(await send()).toEqual(ok)
    expect(receiver.connections()).toBe(2)
  })

  test('are judged each time, so a name that then points elsewhere is not dialled', async () => {
    const addresses = ['127.0.0.1']
    const rule = (address: string) => address === '127.0.0.1'
    const resolve = async () => addresses
    connections = createConnections(createConnectionGuard({ rule, resolve, trusted: receiverCertificate() }))
    receiver.answer({ status: 204, headers: { connection: 'close' } })
    expect(await send()).toEqual(ok)
    addresses[0] = '127.0.0.2'
    await expect(send()).rejects.toThrow(notAllowed)
    expect(receiver.connections()).toBe(1)
  })
})
