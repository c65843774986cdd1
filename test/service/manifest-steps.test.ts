import { beforeEach, describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/contract/operations.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { runTimedWork } from '../../src/engine/timed-work.ts'
import { forgetResultsOf } from '../../src/service/jobs/retention.ts'
import { raw, sql } from '../../src/store/database.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases, usualTest } from '../support/harness.ts'
import { arrive, type LineSent, manifestOf, named, slab, stockCatalog, submit } from '../support/manifests.ts'
import { outcomeOf } from '../support/outcome.ts'
import { cutOffAfter, inShortSteps } from '../support/steps.ts'

const idempotencyKey = 'one-manifest'
const day = 86_400_000

/** More than two steps of insertion: lines of all kinds, some with the words of others. */
const lines: LineSent[] = Array.from({ length: 450 }, (_, n) => {
  if (n % 3 === 0) return { description: `Slab ${n}`, grader: 'PSA', cert_number: `C-${n}` }
  if (n % 3 === 1) return { description: `Box ${n}`, sku: 'ETB-1', quantity: 2 }
  return { description: n % 2 === 0 ? `Pikachu Jungle ${n}` : 'Charizard Base Set' }
})
const body: BodyInput<'submitManifest'> = { reference: 'PO-1', lines }
const csv = () => {
  const cells = ({ description, sku, grader, cert_number, quantity }: LineSent) =>
    [description, sku, grader, cert_number, quantity].join(',')
  const rows = lines.map(cells)
  rows.splice(220, 0, 'Box,NONE-1,,,1', 'Box,NONE-1,,,x')
  return Buffer.from(['description,sku,grader,cert_number,quantity', ...rows].join('\n'))
}

describe.each(databases)('a manifest that is submitted in steps, over $name', (database) => {
  const usual = usualTest(database)
  const harness = forEachTest(harnessWith(database))
  beforeEach(async () => {
    await stockCatalog(harness.client, 'ETB-1')
  })

  const cutOff = (writes: number) => inShortSteps(harness, cutOffAfter(harness, writes))
  const rowsOf = async (table: string) =>
    (
      await harness.db.read((tx) =>
        tx.all(sql`select 1 from ${raw(table)} where scope_id = ${harness.scope.id}`),
      )
    ).length
  /** Nothing of a manifest is visible while only some of its lines are inserted. */
  const expectHidden = async () => {
    const [{ id } = { id: '' }] = await harness.db.read((tx) =>
      tx.all<{ id: string }>(sql`select id from shut_manifests where scope_id = ${harness.scope.id}`),
    )
    const { client } = harness
    const params = { manifest_id: id }
    for (const call of [client.getManifest, client.getManifestReport, client.closeManifest])
      expect((await outcomeOf(call({ params }))).status).toBe(404)
    expect((await client.listManifests({})).data.total).toBe(0)
    expect(await harness.findings()).toEqual([])
    return id
  }
  const manifestsOf = (intakes: ReadonlyArray<{ manifest_id: string | null }>) =>
    intakes.map(({ manifest_id }) => manifest_id)
  /** Arrivals for lines of the first step, one of each kind. */
  const forFirstLines = () => [slab('C-0'), named('Charizard Base Set'), named('Jungle Pikachu 8')]

  test('is invisible if cut off between any two of them, and a retry continues with the same bytes', async () => {
    const unmatched = [null, null, null]
    for (const writes of [1, 1]) {
      expect((await outcomeOf(cutOff(writes).submitManifest({ body, idempotencyKey }))).status).toBe(503)
      await expectHidden()
      expect(manifestsOf(await arrive(harness.client, forFirstLines()))).toEqual(unmatched)
      harness.pass(1000)
    }
    const before = await outcomeOf(cutOff(1).submitManifest({ body, idempotencyKey }))
    expect(before.status).toBe(503)
    const [made] = (await harness.client.listManifests({})).data.results
    const { text, data } = await harness.client.submitManifest({ body, idempotencyKey })
    expect(data).toEqual(made)
    expect(data).toMatchObject({ line_count: lines.length, created_at: '2026-05-01T09:00:00.000Z' })
    expect((await harness.client.submitManifest({ body, idempotencyKey })).text).toBe(text)
    const sent = lines.map((line) => line.description)
    const { data: page } = await harness.client.getManifest({
      params: { manifest_id: data.id },
      query: { page: 2, page_size: 250 },
    })
    expect(page.lines.map((line) => line.description)).toEqual(sent.slice(250))
    expect(manifestsOf(await arrive(harness.client, forFirstLines()))).toEqual([data.id, data.id, data.id])
    expect([await rowsOf('shut_manifests'), await rowsOf('unfinished_parts')]).toEqual([0, 0])
    expect(await harness.findings()).toEqual([])
  })

  test('lets a younger manifest match until it is complete, and then precedes it, because it is older', async () => {
    const form = { file: csv(), reference: 'PO-1' }
    expect((await outcomeOf(cutOff(1).submitManifestCsv({ form, idempotencyKey }))).status).toBe(503)
    const hidden = await expectHidden()
    const words = [
      'Pikachu Jungle 470',
      'Pikachu Jungle 434',
      'Pikachu Jungle 440',
      'Pikachu Jungle 446',
      'Charizard Base Set',
      'Charizard Base Set',
      'Pikachu Jungle 8',
      'Pikachu Jungle Holo 14',
    ]
    const younger = await submit(harness.client, 'PO-2', words)
    const arrivals = () => [named('Charizard Base Set'), named('Pikachu Jungle 440')]
    // The hidden manifest has a line with the exact words of the third.
    const behindIt = named('Pikachu Jungle 14')
    expect(manifestsOf(await arrive(harness.client, [...arrivals(), behindIt]))).toEqual(
      Array(3).fill(younger.id),
    )
    const { data, text } = await inShortSteps(harness).submitManifestCsv({ form, idempotencyKey })
    expect(await harness.findings()).toEqual([])
    expect(data.manifest.id).toBe(hidden)
    expect(data.created.map((line) => line.description)).toEqual(lines.map((line) => line.description))
    expect(data.errors.map(({ row, fields }) => [row, Object.keys(fields)])).toEqual([
      [221, ['sku']],
      [222, ['sku', 'quantity']],
    ])
    expect((await harness.client.submitManifestCsv({ form, idempotencyKey })).text).toBe(text)
    // Words of both, equally similar to a line of the younger one and to one that both have.
    const last = [named('Pikachu Jungle 446'), named('Pikachu Jungle 434 470')]
    expect(manifestsOf(await arrive(harness.client, [...arrivals(), ...last]))).toEqual(Array(4).fill(hidden))
    expect((await harness.client.listManifests({})).data.results.map(({ id }) => id)).toEqual([
      younger.id,
      hidden,
    ])
    expect(await harness.findings()).toEqual([])
  })

  test('is deleted once its unfinished upload is forgotten, and the data of others stay', async () => {
    await outcomeOf(cutOff(2).submitManifest({ body, idempotencyKey }))
    await expectHidden()
    const other = await submit(harness.client, 'PO-2', ['Charizard Base Set'])
    const place = { ...harness, settings: defaultSettings, environment: 'sandbox' } as const
    await runTimedWork(place)
    expect(await rowsOf('manifest_lines')).toBe(401)
    harness.pass(8 * day)
    await harness.db.write((tx) => tx.run(sql`update scopes set claims = claims + 10001`))
    await forgetResultsOf(harness, harness.scope, 7 * day)
    await runTimedWork(place)
    expect([await rowsOf('manifest_lines'), await rowsOf('phrases')]).toEqual([1, 1])
    expect(manifestsOf(await arrive(harness.client, [named('Charizard Base Set')]))).toEqual([other.id])
    expect(await harness.findings()).toEqual([])
    const { data } = await harness.client.submitManifest({ body, idempotencyKey })
    expect((await manifestOf(harness.client, data.id)).line_count).toBe(lines.length)
  })

  usual('is rejected before its first line if it names an unknown SKU', async () => {
    const bad = { ...body, lines: [...lines, { description: 'Box', sku: 'NONE-1' }] }
    const { status, extra } = await outcomeOf(
      inShortSteps(harness).submitManifest({ body: bad, idempotencyKey }),
    )
    expect([status, extra]).toMatchObject([400, { fields: { 'lines[450].sku': [expect.any(String)] } }])
    expect(await rowsOf('manifest_lines')).toBe(0)
  })

  const close = async (writes: number, id: string) => {
    const closing = cutOff(writes).closeManifest({ params: { manifest_id: id }, idempotencyKey: 'close' })
    return (await outcomeOf(closing)).status
  }
  /** Everything visible of a manifest says that it is closed. */
  const expectClosed = async (id: string) => {
    const params = { manifest_id: id }
    const { data: page } = await harness.client.getManifest({ params, query: { page_size: 250, page: 2 } })
    const { data: report } = await harness.client.getManifestReport({ params })
    expect([page.status, report.status, report.generated_at]).toEqual(
      expect.arrayContaining(['reconciled', expect.any(String)]),
    )
    expect(report.totals).toMatchObject({ matched: 2, missing: 598, expected: 600 })
    const statuses = [...page.lines, ...report.lines].map((line) => line.status)
    expect(new Set(statuses)).toEqual(new Set(['missing', 'matched']))
    expect(await harness.events()).toHaveLength(3)
    expect(await harness.findings()).toEqual([])
  }

  usual('is closed from the first step of its close on, and a retry answers all its lines', async () => {
    const { client } = harness
    const { id } = (await client.submitManifest({ body })).data
    await arrive(client, [slab('C-0'), slab('C-447')])
    const younger = await submit(client, 'PO-2', ['Charizard Base Set', 'Pikachu Jungle 440'])
    expect(await close(1, id)).toBe(503)
    await expectClosed(id)
    expect((await outcomeOf(client.closeManifest({ params: { manifest_id: id } }))).status).toBe(409)
    const come = [named('Charizard Base Set'), named('Pikachu Jungle 440'), named('Pikachu Jungle 20')]
    expect(manifestsOf(await arrive(client, come))).toEqual([younger.id, younger.id, null])
    expect(await close(2, id)).toBe(503)
    expect(await harness.findings()).toEqual([])
    const { data, text } = await inShortSteps(harness).closeManifest({
      params: { manifest_id: id },
      idempotencyKey: 'close',
    })
    const params = { manifest_id: id }
    const { data: page } = await client.getManifest({ params, query: { page_size: 250, page: 2 } })
    expect(data.lines.slice(250)).toEqual(page.lines)
    expect(data.lines).toHaveLength(lines.length)
    const again = await client.closeManifest({ params, idempotencyKey: 'close' })
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([text, 'true'])
    expect([await rowsOf('shut_manifests'), await rowsOf('phrases')]).toEqual([0, 0])
    expect(await harness.findings()).toEqual([])
  })

  usual('is closed by the service if nobody continues its close, and a retry answers as usual', async () => {
    const { id } = (await harness.client.submitManifest({ body })).data
    await arrive(harness.client, [slab('C-0'), slab('C-447')])
    expect(await close(1, id)).toBe(503)
    await runTimedWork({ ...harness, settings: defaultSettings, environment: 'sandbox' })
    expect(await rowsOf('shut_manifests')).toBe(0)
    await expectClosed(id)
    expect(await close(9, id)).toBe(200)
  })

  test('is closed by a retry of a clock advance that was cut off, and the clock advances once', async () => {
    const { client } = harness
    const window = { expected_arrival_end: '2026-05-02' }
    await client.submitManifest({ body: { ...body, ...window } })
    for (const reference of ['PO-2', 'PO-3']) await submit(client, reference, ['Charizard Base Set'], window)
    const advance = { body: { seconds: (30 * day) / 1000 }, idempotencyKey: 'advance' }
    const reconciled = async () =>
      (await client.listManifests({ query: { status: 'reconciled' } })).data.total
    expect((await outcomeOf(cutOff(1).advanceClock(advance))).status).toBe(503)
    expect([(await client.getClock({})).data.offset_seconds, await reconciled()]).toEqual([2_592_000, 1])
    expect(await harness.findings()).toEqual([])
    const { data } = await inShortSteps(harness).advanceClock(advance)
    expect(data).toEqual({ now: '2026-05-31T09:00:00.000Z', offset_seconds: 2_592_000 })
    expect([(await client.getClock({})).data, await reconciled()]).toEqual([data, 3])
    expect(await rowsOf('shut_manifests')).toBe(0)
    expect(await harness.findings()).toEqual([])
  })
})
