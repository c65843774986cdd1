import { beforeAll, describe, expect, test } from 'vitest'
import { lastEvents, startSince } from '../../src/cli/events/feed.ts'
import { createClient } from '../../src/client/client.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { baseUrl, databases } from '../support/harness.ts'

describe.each(databases)('the end of the log, over $name', (database) => {
  const harness = forAllTests(harnessWith(database))
  let all: WebhookEvent[]
  beforeAll(async () => {
    const { client, stranger } = harness
    for (let at = 0; at < 3; at++) {
      const cert_number = `1111222${at}`
      const items = [{ type: 'graded_slab' as const, name: 'A card', grader: 'PSA', grade: '9', cert_number }]
      const [intake] = (await client.createIntakes({ body: { items } })).data.intakes
      harness.pass(60_000)
      await client.advanceItem({ params: { qid: intake?.qid ?? '' }, body: { to_status: 'available' } })
      harness.pass(60_000)
      await stranger.createIntakes({ body: { items } })
    }
    all = await harness.events()
  })

  const ids = (events: readonly WebhookEvent[]) => events.map(({ id }) => id)
  const last = async (
    prefer: string,
    query: { type?: 'item.intake.completed'; starting_after?: string } = {},
  ) => harness.client.listEvents({ headers: { prefer }, query })

  test('is answered in creation order, byte for byte as in the log', async () => {
    const { data, headers, text } = await last('last=2')
    expect(headers['preference-applied']).toBe('last=2')
    expect(data).toEqual({ has_more: false, next_starting_after: all.at(-1)?.id, results: all.slice(-2) })
    const after = await harness.client.listEvents({ query: { starting_after: all.at(-3)?.id } })
    expect(text).toBe(after.text)
  })

  test('is where the Link headers of the pages lead', async () => {
    const query = { page_size: 2, type: 'item.status.changed' } as const
    const found: string[] = []
    let link: string | undefined = ''
    for (let starting_after: string | undefined; link !== undefined; ) {
      const { data, headers } = await harness.client.listEvents({
        headers: { prefer: 'wait=1' },
        query: { ...query, ...(starting_after && { starting_after }) },
      })
      found.push(...ids(data.results))
      starting_after = data.next_starting_after ?? ''
      link = headers.link
      const next = `${baseUrl}/events?page_size=2&type=item.status.changed&starting_after=${starting_after}`
      expect(link).toBe(data.has_more ? `<${next}>; rel="next"` : undefined)
    }
    expect(found).toEqual(ids(all.filter(({ type }) => type === query.type)))
  })

  test('is the whole log if it has fewer events, and empty if it has none', async () => {
    expect((await last('last=250')).data.results).toEqual(all)
    const before = all[0]?.created_at
    const { data } = await last(`last=5; before="${before}"`)
    expect(data).toEqual({ has_more: true, next_starting_after: null, results: [] })
  })

  test('is marked on the page that holds the last event, even if just full', async () => {
    const has_more = async (page_size: number) =>
      (await harness.client.listEvents({ query: { page_size } })).data.has_more
    expect(await Promise.all([-1, 0, 1].map((by) => has_more(all.length + by)))).toEqual([true, false, false])
  })

  test('is of one type on request', async () => {
    const intakes = all.filter(({ type }) => type === 'item.intake.completed')
    const { data } = await last('last=2', { type: 'item.intake.completed' })
    expect(data.results).toEqual(intakes.slice(-2))
  })

  test('may be the end before a given time, exclusive, in any zone', async () => {
    const bound = all[3]?.created_at ?? ''
    const before = all.filter(({ created_at }) => created_at < bound)
    const { data, headers } = await last(`last=1; before="${bound}"`)
    expect(data).toMatchObject({ has_more: true, results: before.slice(-1) })
    expect(headers['preference-applied']).toBe(`last=1; before="${bound}"`)
    const elsewhere = new Date(Date.parse(bound) + 7_200_000).toISOString().replace('Z', '+02:00')
    expect((await last(`respond-async, last=1;before="${elsewhere}"`)).data).toEqual(data)
  })

  test.each(['last=0', 'last=x', 'last', 'last=2; before="soon"', 'last=2; before=yesterday', 'at-last=2'])(
    'is not requested by Prefer: %s, which is ignored',
    async (prefer) => {
      const { data, headers } = await last(prefer)
      expect([ids(data.results), headers['preference-applied']]).toEqual([ids(all), undefined])
    },
  )

  test('is not requested together with a cursor', async () => {
    const { data, headers } = await last('last=1', { starting_after: all[0]?.id ?? '' })
    expect([ids(data.results), headers['preference-applied']]).toEqual([ids(all.slice(1)), undefined])
  })

  describe.each([
    ['a service that supports it', false],
    ['a service that does not: the client reads its log', true],
  ])('a tail starts, of %s', (_, isIgnored) => {
    const client = () => {
      const { service, key } = harness
      const headersOf = (given: object) => ({ ...given, 'x-api-key': key, ...(isIgnored && { prefer: '' }) })
      return createClient({
        baseUrl,
        transport: (call) => service.handle({ ...call, headers: headersOf(call.headers) }),
        newIdempotencyKey: () => 'unused',
      })
    }

    test.each([0, 1, 3, 100])('answers the last %i events', async (count) => {
      const { events, before, after } = await lastEvents(client(), count, undefined)
      const wanted = count === 0 ? [] : all.slice(-count)
      expect(events.map(({ event }) => event)).toEqual(wanted)
      expect([before, after]).toEqual([all.at(-count - 1)?.id, all.at(-1)?.id])
    })

    test('answers the last events of several types, in the order of the log', async () => {
      const types = new Set(['item.status.changed', 'item.intake.completed', 'transfer.completed'])
      const { events, after } = await lastEvents(client(), 4, types)
      expect(events.map(({ event }) => event)).toEqual(all.slice(-4))
      expect(after).toBe(all.at(-1)?.id)
    })

    test('answers the events from a given time on', async () => {
      const now = Date.parse(all.at(-1)?.created_at ?? '')
      const at = (index: number) => all[index]?.created_at ?? ''
      const since = (time: string) => startSince(client(), time, now)
      const firstFrom = (time: string) => all.filter(({ created_at }) => created_at < time).at(-1)?.id
      expect(await since(at(0))).toBeUndefined()
      expect(await since(at(4))).toBe(firstFrom(at(4)))
      expect(await since('2099-01-01')).toBe(all.at(-1)?.id)
    })
  })
})
