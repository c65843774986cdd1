import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createClient, ServiceError } from '../../src/client/library.ts'
import type { Custody, StartOptions, Webhook } from '../../src/testing/custody.ts'
import { startCustody } from '../../src/testing/start-custody.ts'

const started: Custody[] = []
const start = async (options?: StartOptions): Promise<Custody> => {
  const custody = await startCustody(options)
  started.push(custody)
  return custody
}
afterEach(async () => {
  for (const custody of started.splice(0)) await custody.close()
})

const slab = { description: 'Charizard Holo', grader: 'PSA', cert_number: '65936798' }

/** A manifest, its arrival, and a day: every kind of identifier and time. */
async function story({ client, receive, advance, events }: Custody): Promise<string> {
  const submitted = await client.submitManifest({ body: { reference: 'PO-1', lines: [slab] } })
  const intakes = await receive('PO-1')
  const now = await advance({ days: 1, hours: undefined, minutes: 30 })
  return JSON.stringify([submitted.text, intakes, now, await events()])
}

test('the same calls give the same bytes, whatever else runs, and another seed gives others', async () => {
  const [first, second] = [await start(), await start()]
  const told = await story(first)
  expect(told).toContain('2026-01-02T09:30:00.000Z')
  expect((await second.client.listItems({})).data.total).toBe(0)
  expect(await story(second)).toBe(told)
  expect(second.apiKey).toBe(first.apiKey)
  expect(await story(await start({ seed: 2 }))).not.toBe(told)
  const unset = { file: undefined, now: undefined, seed: undefined, partner: undefined, onWebhook: undefined }
  expect(await story(await start(unset))).toBe(told)
})

test('a file continues where it ended, with new identifiers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'custody-testing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'custody.db')
  const before = await start({ file, now: '2026-05-01T00:00:00Z' })
  await story(before)
  await before.close()
  started.pop()
  const after = await start({ file, now: new Date('2026-05-01T00:00:00Z') })
  const { data } = await after.client.submitManifest({ body: { reference: 'PO-2', lines: [slab] } })
  expect(data.created_at).toBe('2026-05-02T00:30:00.000Z')
  expect((await after.client.listManifests({})).data.results.map(({ reference }) => reference)).toEqual([
    'PO-2',
    'PO-1',
  ])
})

test('webhooks are signed like posted ones, and a rejected one is retried when due', async () => {
  const seen: Webhook[] = []
  const answers = [() => 500, () => Promise.reject(new Error('broken')), () => {}]
  const custody = await start({
    onWebhook: (webhook) => {
      seen.push(webhook)
      return answers[seen.length - 1]?.()
    },
  })
  const { data: subscription } = await custody.client.createSubscription({
    body: { url: 'https://shop.example/hooks', event_types: ['item.intake.completed'] },
  })
  await story(custody)
  await custody.delivered()
  await custody.advance({ hours: 24 })
  await custody.delivered()
  await custody.advance({ hours: 24 })
  await custody.delivered()
  expect(seen.map(({ attempt, url, event }) => [attempt, url, event.type])).toEqual(
    [1, 2, 3].map((attempt) => [attempt, 'https://shop.example/hooks', 'item.intake.completed']),
  )
  const { headers, body, event } = seen[0]!
  expect(new Verifier(subscription.secret).verify(body, headers)).toEqual(event)
  const params = { subscription_id: subscription.id }
  const { data } = await custody.client.listDeliveries({ params })
  expect(data.results).toMatchObject([{ status: 'delivered', attempts: 3, response_code: 204 }])
})

test("a receipt can be described line by line, and errors are the service's", async () => {
  const { client, receive } = await start()
  const { data: manifest } = await client.submitManifest({ body: { reference: 'PO-1', lines: [slab] } })
  const { data } = await client.getManifest({ params: { manifest_id: manifest.id } })
  const lines = [{ line_id: data.lines[0]!.id, condition_flags: ['cracked'] }]
  expect(await receive(manifest.id, { lines })).toMatchObject([{ condition_flags: ['cracked'] }])
  const unknown = receive('PO-9')
  await expect(unknown).rejects.toBeInstanceOf(ServiceError)
  await expect(unknown).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('"PO-9"'),
  })
  await expect(startCustody({ now: 'yesterday' })).rejects.toThrow('now: yesterday is not a time')
})

test('a call after close says that it was closed', async () => {
  const { client, advance, close } = await start()
  await close()
  await expect(client.listItems()).rejects.toThrow('This custody was closed.')
  await expect(advance({ days: 1 })).rejects.toThrow('This custody was closed.')
})

test('the same sandbox is served over HTTP', async () => {
  const custody = await start()
  const { baseUrl } = await custody.listen()
  expect(await custody.listen()).toEqual({ baseUrl })
  const outside = createClient({ baseUrl, apiKey: custody.apiKey })
  const { data } = await outside.submitManifest({ body: { reference: 'PO-1', lines: [slab] } })
  expect((await custody.client.listManifests({})).data.results).toEqual([data])
})
