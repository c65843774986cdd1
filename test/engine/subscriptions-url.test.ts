import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HostResolver } from '../../src/service/webhooks/connections.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { type ManualTimers, manualTimers } from '../support/manual-timers.ts'

const event_types: ['transfer.requested'] = ['transfer.requested']
const notPublic =
  'must lead to a public address: loopback, private, link-local, cloud-metadata and other special addresses are rejected'

/** Host names in the tests, and their addresses. */
const hosts: Record<string, string[]> = {
  'hooks.partner.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'private.partner.com': ['10.0.0.5'],
  'mixed.partner.com': ['93.184.216.34', '127.0.0.1'],
  'mixed6.partner.com': ['93.184.216.34', 'fe80::1'],
  'metadata.partner.com': ['169.254.169.254'],
  'unknown.partner.com': [],
}

describe.each(usualDatabases)(
  'the address rule when a URL is set, over $name (4.7; 7, rule 3)',
  (database) => {
    let harness: Harness
    let asked: string[]
    let timers: ManualTimers
    beforeEach(async () => {
      asked = []
      timers = manualTimers()
      harness = await startHarness(database, { service: { urlCheck: { resolve, timers } } })
    })
    afterEach(() => harness.close())

    const resolve: HostResolver = async (hostname) => {
      asked.push(hostname)
      const found = hosts[hostname]
      if (!found) throw new Error('SERVFAIL')
      return found
    }
    const create = (url: string) => harness.client.createSubscription({ body: { url, event_types } })
    const rejection = (message: string) => ({
      status: 400,
      code: 'validation_error',
      message: `url ${message}.`,
      extra: { fields: { url: [message] } },
    })

    test.each([
      ['http://hooks.partner.com/x', 'must begin with https://'],
      ['https://127.0.0.1/x', notPublic],
      ['https://2130706433/x', notPublic],
      ['https://[::ffff:10.0.0.1]/x', notPublic],
      ['https://169.254.169.254/latest/meta-data', notPublic],
      ['https://metadata.google.internal/x', notPublic],
      ['https://localhost:8443/x', notPublic],
      ['https://user:pass@hooks.partner.com/x', 'must not contain a user name or a password'],
      ['https://hooks.partner.com:25/x', 'must use port 443 or one from 1024 to 65535'],
      ['https://private.partner.com/x', notPublic],
      ['https://mixed.partner.com/x', notPublic],
      ['https://mixed6.partner.com/x', notPublic],
      ['https://metadata.partner.com/x', notPublic],
      ['https://PRIVATE.partner.com./x', notPublic],
    ])('rejects %s in POST and PATCH, and changes nothing', async (url, message) => {
      await expect(create(url)).rejects.toMatchObject(rejection(message))
      const { data } = await create('https://hooks.partner.com/x')
      const of = { params: { subscription_id: data.id } }
      await expect(
        harness.client.updateSubscription({ ...of, body: { url, active: false } }),
      ).rejects.toMatchObject(rejection(message))
      expect((await harness.client.getSubscription(of)).data).toMatchObject({
        url: 'https://hooks.partner.com/x',
        active: true,
      })
      expect((await harness.client.listSubscriptions({})).data.total).toBe(1)
    })

    test('stores no result for a rejected URL, so its key can be used again', async () => {
      const request = (url: string) =>
        harness.client.createSubscription({ body: { url, event_types }, idempotencyKey: 'one' })
      await expect(request('https://private.partner.com/x')).rejects.toMatchObject({ status: 400 })
      expect((await request('https://hooks.partner.com/x')).status).toBe(201)
    })

    test("rejects this machine's addresses, public ones too", async () => {
      await harness.close()
      const rule = (address: string): boolean => address !== '93.184.216.34'
      harness = await startHarness(database, { service: { urlCheck: { resolve, timers, rule } } })
      await expect(create('https://hooks.partner.com/x')).rejects.toMatchObject(rejection(notPublic))
      await expect(create('https://93.184.216.34/x')).rejects.toMatchObject(rejection(notPublic))
    })

    test('accepts a name that leads only to public addresses', async () => {
      expect((await create('https://hooks.partner.com:8443/x')).status).toBe(201)
      expect(asked).toEqual(['hooks.partner.com'])
    })

    test('accepts a name that does not resolve, and one whose servers fail', async () => {
      expect((await create('https://unknown.partner.com/x')).status).toBe(201)
      expect((await create('https://failing.partner.com/x')).status).toBe(201)
    })

    test('accepts names for documentation and tests without a lookup', async () => {
      for (const host of ['hooks.partner.example', 'hooks.partner.test']) {
        expect((await create(`https://${host}/x`)).status).toBe(201)
      }
      expect(asked).toEqual([])
    })

    test('looks nothing up for a PATCH without a URL', async () => {
      const { data } = await create('https://unknown.partner.com/x')
      asked = []
      await harness.client.updateSubscription({
        params: { subscription_id: data.id },
        body: { active: false },
      })
      expect(asked).toEqual([])
    })

    test('treats a name as unknown if its server does not answer for three seconds, without holding up others', async () => {
      await harness.close()
      let aborted = false
      let isAsked = (): void => {}
      const whenAsked = new Promise<void>((done) => {
        isAsked = done
      })
      const silent: HostResolver = (_, abort) => {
        abort.addEventListener('abort', () => {
          aborted = true
        })
        isAsked()
        return new Promise(() => {})
      }
      harness = await startHarness(database, { service: { urlCheck: { resolve: silent, timers } } })
      const waiting = create('https://silent.partner.com/x')
      await whenAsked
      // The scope is free meanwhile: another write to it succeeds.
      expect((await create('https://hooks.partner.example/x')).status).toBe(201)
      timers.ring(3000)
      expect((await waiting).status).toBe(201)
      expect(aborted).toBe(true)
    })
  },
)
