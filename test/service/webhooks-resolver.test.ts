import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHostResolver } from '../../src/service/webhooks/connections.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'

describe('the resolver of webhook hosts (4.7)', () => {
  let server: NameServer
  const noAbort = new AbortController().signal
  beforeEach(async () => {
    server = await startNameServer({
      'both.partner.com': ['93.184.216.34', '93.184.216.35', '2606:2800:220:1::1'],
      'four.partner.com': ['93.184.216.34'],
      'six.partner.com': ['2606:2800:220:1::1'],
      'private.partner.com': ['93.184.216.34', '10.0.0.5'],
      'silent.partner.com': 'silent',
    })
  })
  afterEach(() => server.close())

  const resolve = (hostname: string, abort = noAbort) => createHostResolver([server.address])(hostname, abort)

  test.each([
    ['both.partner.com', ['2606:2800:220:1::1', '93.184.216.34', '93.184.216.35']],
    ['four.partner.com', ['93.184.216.34']],
    ['six.partner.com', ['2606:2800:220:1::1']],
    ['private.partner.com', ['10.0.0.5', '93.184.216.34']],
    ['unknown.partner.com', []],
  ])('finds every address of both kinds for %s', async (hostname, addresses) => {
    expect([...(await resolve(hostname))].sort()).toEqual(addresses)
  })

  test('looks up each time, so it notices a name that moved', async () => {
    await resolve('four.partner.com')
    await resolve('four.partner.com')
    expect(server.asked.filter((question) => question === 'four.partner.com 1')).toHaveLength(2)
  })

  test('ends a lookup at once on abort', async () => {
    const abort = new AbortController()
    const waiting = resolve('silent.partner.com', abort.signal)
    abort.abort()
    expect(await waiting).toEqual([])
    expect(await resolve('four.partner.com', abort.signal)).toEqual([])
  })
})
