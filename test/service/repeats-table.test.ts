import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/library.ts'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { createHttpServer } from '../../src/service/http/http.ts'
import { shelve } from '../support/arrivals.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { clientWith, databases, type Harness, startHarness } from '../support/harness.ts'
import { boxes, ordering } from '../support/ordering.ts'
import { isLong } from '../support/soak.ts'

const day = 86_400_000

/** Two machines that reach the same stock, each by its own address. */
type Machines = { first: Client; second: Client; close(): Promise<void> }

const ways: Record<string, (harness: Harness) => Promise<Machines>> = {
  async embedded({ db, scope, sources, key }) {
    const open = async () => {
      const { service } = await openEmbedded({
        db,
        sources,
        partner: scope.partner_name,
        environment: 'sandbox',
      })
      return clientWith(service, key, sources)
    }
    return { first: await open(), second: await open(), close: async () => {} }
  },
  async 'over HTTP'({ db, service, key }) {
    const servers = await Promise.all(['127.0.0.1', 'localhost'].map(() => createHttpServer({ service, db })))
    const [first, second] = await Promise.all(
      servers.map(async (server, at) => {
        const { port } = new URL(await server.listen('127.0.0.1', 0))
        const baseUrl = `http://${at === 0 ? '127.0.0.1' : 'localhost'}:${port}/v1`
        return createClient({ baseUrl, apiKey: key }) as Client
      }),
    )
    const close = async () => {
      for (const server of servers) await server.close()
    }
    return { first: first!, second: second!, close }
  },
}

/** Each database and each transport; a soak has the other two pairs too. */
const combinations = databases.flatMap((database, at) =>
  Object.entries(ways)
    .filter((_, place) => isLong || place === at)
    .map(([way, open]) => ({ database, way, open, name: database.name })),
)

// The design's table: each case once shipped an order twice, lost one silently, or could not be ordered.
describe.each(combinations)(
  'imports that once shipped twice or lost orders, $way, over $name',
  ({ database, open }) => {
    let harness: Harness
    let machines: Machines
    beforeEach(async () => {
      harness = await startHarness(database)
      await shelve(harness, [...Array(4).fill({ sku: 'BOX' }), ...Array(4).fill({ sku: 'CARD' })])
      machines = await open(harness)
    })
    afterEach(async () => {
      await machines.close()
      await harness.close()
    })

    const here = ordering(() => ({ client: machines.first }))
    const there = ordering(() => ({ client: machines.second }))
    const cancel = ({ id }: Fulfillment) =>
      machines.first.cancelFulfillment({ params: { fulfillment_id: id } })
    /** The units of BOX and CARD in live orders. */
    const shipped = async () => {
      const alive = (await here.orders()).filter(({ status }) => status !== 'cancelled')
      return alive.flatMap(({ qids }) => qids).length
    }

    test('two equal rows with stock for one both fail, also after restocking, until told apart', async () => {
      const rows = [boxes(undefined, 3), boxes(undefined, 3)]
      const first = await here.upload(rows)
      expect(first.errors.map(({ row, code }) => [row, code])).toEqual([
        [1, 'validation_error'],
        [2, 'validation_error'],
      ])
      await shelve(harness, Array(2).fill({ sku: 'BOX' }))
      expect((await there.upload(rows)).totals).toEqual({ created: 0, failed: 2, repeated: 0, submitted: 2 })
      expect((await there.upload([boxes('W-1', 3), boxes('W-2', 3)])).created).toHaveLength(2)
      expect(await shipped()).toBe(6)
    })

    test('an order of two lines that gained or lost one is a conflict, and one parcel', async () => {
      const [box, card] = [
        { sku: 'BOX', quantity: 1 },
        { sku: 'CARD', quantity: 1 },
      ]
      const external_ref = '#1002'
      await here.order({ external_ref, lines: [box, card] })
      for (const lines of [[box], [box, card, { sku: 'BOX', quantity: 1 }]])
        await expect(there.order({ external_ref, lines })).rejects.toMatchObject({ code: 'state_conflict' })
      expect(await there.order({ external_ref, lines: [card, box] })).toMatchObject({
        status: 200,
        repeated: 'true',
      })
      expect(await shipped()).toBe(2)
    })

    test('a SKU corrected in the file of failed rows, then in the shop, is ordered once', async () => {
      const { errors } = await here.upload([{ ...boxes('W-1'), sku: 'BOXX' }])
      expect(errors).toHaveLength(1)
      expect((await here.upload([boxes('W-1')])).created).toHaveLength(1)
      expect((await there.upload([boxes('W-1')])).totals).toMatchObject({ created: 0, repeated: 1 })
      expect(await shipped()).toBe(1)
    })

    test('the item of a cancelled order is ordered from another file', async () => {
      const { created } = await here.upload([boxes('W-1', 4)])
      await cancel(created[0]!)
      expect((await there.upload([boxes('W-9', 4)])).created).toHaveLength(1)
      const { errors } = await there.upload([boxes('W-1', 4)])
      expect(errors[0]?.message).toContain(`order ${created[0]?.id}`)
      expect(await shipped()).toBe(4)
    })

    test('a regular customer’s equal order without a reference a month later is reported, and ordered on request', async () => {
      await here.upload([boxes(undefined)])
      harness.pass(30 * day)
      const again = await there.upload([boxes(undefined)])
      expect(again.repeated?.map(({ by }) => by)).toEqual(['content'])
      expect((await there.upload([boxes(undefined)], 'allow')).created).toHaveLength(1)
      expect(await shipped()).toBe(2)
    })

    test('a file that cron sends unchanged for 30 nights is ordered once and reported each night', async () => {
      const form = { file: fulfillmentCsv([boxes('W-1'), boxes(undefined)]) }
      const told: string[] = []
      for (let night = 0; night < 30; night++) {
        const client = night % 3 === 2 ? machines.second : machines.first
        // The tool sends the same key for the same bytes, whose result is forgotten after 7 days.
        const idempotencyKey = `nightly-${Math.floor(night / 7)}`
        const { data } = await client.importFulfillmentsCsv({ form, repeats: 'skip', idempotencyKey })
        const { created, failed, repeated = 0 } = data.totals
        told.push(`${created}, ${failed}, ${repeated}`)
        harness.pass(day)
      }
      expect(new Set(told)).toEqual(new Set(['2, 0, 0', '0, 0, 2']))
      expect(told[29]).toBe('0, 0, 2')
      expect(await shipped()).toBe(2)
    })

    test('another address of the same service orders once', async () => {
      const rows = [boxes('W-1'), boxes(undefined)]
      await here.upload(rows)
      expect((await there.upload(rows)).totals).toEqual({ created: 0, failed: 0, repeated: 2, submitted: 2 })
      expect(await shipped()).toBe(2)
    })

    test('a live order counts, not the cancelled one with its reference', async () => {
      const { data: first } = await here.order({ sku: 'BOX', quantity: 1, external_ref: 'W-1' }, 'allow')
      const { data: second } = await here.order({ sku: 'BOX', quantity: 1, external_ref: 'W-1' }, 'allow')
      await cancel(first)
      expect((await there.upload([boxes('W-1')])).repeated).toMatchObject([
        { id: second.id, status: 'pending' },
      ])
      expect(await shipped()).toBe(1)
    })

    test('the failed one of two rows of one reference is ordered once corrected', async () => {
      const card = { sku: 'CARD', quantity: 1, external_ref: 'W-1' }
      const first = await here.upload([boxes('W-1'), { ...card, country: 'Mars' }])
      expect([first.created.length, first.errors.map(({ row }) => row)]).toEqual([1, [2]])
      expect((await there.upload([card])).created).toHaveLength(1)
      expect(await shipped()).toBe(2)
    })

    test('the same file a day later orders only the row that failed', async () => {
      const rows = [boxes('W-1', 3), boxes('W-2', 3)]
      expect((await here.upload(rows)).totals).toMatchObject({ created: 1, failed: 1 })
      await shelve(harness, Array(2).fill({ sku: 'BOX' }))
      harness.pass(day)
      const { created, repeated } = await there.upload(rows)
      expect([created.map(({ external_ref }) => external_ref), repeated?.map(({ row }) => row)]).toEqual([
        ['W-2'],
        [1],
      ])
      expect(await shipped()).toBe(6)
    })

    test('the same rows in another order and other bytes are ordered once', async () => {
      await here.upload([boxes('W-1'), boxes('W-2')])
      expect((await there.upload([boxes('W-2'), boxes('W-1')])).totals).toMatchObject({
        created: 0,
        repeated: 2,
      })
      expect(await shipped()).toBe(2)
    })

    test('a closed manifest submitted from another machine is that manifest', async () => {
      const body = { reference: 'PO-1', lines: [{ description: 'Two' }, { description: 'One' }] }
      const { data } = await machines.first.submitManifest({ body, repeats: 'skip' })
      await machines.first.closeManifest({ params: { manifest_id: data.id } })
      const turned = { ...body, lines: body.lines.toReversed() }
      const again = await machines.second.submitManifest({ body: turned, repeats: 'skip' })
      expect([again.status, again.data.id, again.data.status]).toEqual([200, data.id, 'reconciled'])
      const other = { ...body, lines: [{ description: 'Three' }] }
      await expect(machines.second.submitManifest({ body: other, repeats: 'skip' })).rejects.toMatchObject({
        code: 'state_conflict',
        extra: { manifest_id: data.id },
      })
      expect((await machines.first.listManifests({})).data.total).toBe(1)
    })

    test('a manifest whose reference is written in the other Unicode form is that manifest', async () => {
      const lines = [{ description: 'One' }]
      const [one, other] = ['NFC', 'NFD'].map((form) => ({ reference: 'Café-1'.normalize(form), lines }))
      const { data } = await machines.first.submitManifest({ body: one!, repeats: 'skip' })
      const again = await machines.second.submitManifest({ body: other!, repeats: 'skip' })
      expect([again.status, again.data.id]).toEqual([200, data.id])
      const changed = { ...other!, lines: [{ description: 'Two' }] }
      await expect(machines.second.submitManifest({ body: changed, repeats: 'skip' })).rejects.toMatchObject({
        code: 'state_conflict',
        extra: { manifest_id: data.id },
      })
    })
  },
)
