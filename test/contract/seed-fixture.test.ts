import { describe, expect, test } from 'vitest'
import { manifestSources, transferStatuses } from '../../src/contract/enums.ts'
import { fulfillmentCreate } from '../../src/contract/resources/fulfillment.ts'
import { fulfillmentAdvance } from '../../src/contract/resources/sandbox.ts'
import { type Row, readFixtureJson, readFixtureRows } from '../support/fixtures.ts'

type Line = { slab?: string; sku?: string; description?: string; quantity?: number; external_ref: string }
type Manifest = {
  days_ago: number
  reference: string
  source: string
  arrives_from_days: number
  arrives_by_days: number
  lines: Line[]
}
type Item = { slab?: string; sku?: string; quantity?: number; condition_flags?: string[] }
type Arrival = { days_ago: number; manifest: string; to_status: string; items: Item[] }
type Step = { days_ago: number; to_status: string }
type Fulfillment = {
  days_ago: number
  external_ref: string
  slabs?: string[]
  sku?: string
  quantity?: number
  shipping_address: Record<string, unknown>
  steps: Step[]
}
type Transfer = { days_ago: number; external_ref: string; slabs: string[]; resolve?: Step }
type Seed = {
  manifests: Manifest[]
  arrivals: Arrival[]
  closes: Array<{ days_ago: number; manifest: string }>
  fulfillments: Fulfillment[]
  transfers: Transfer[]
}

const seed = readFixtureJson<Seed>('seed.json')
const skus = new Set(readFixtureRows('catalog.csv').map((product) => product.sku))
const slabs = new Set(readFixtureRows('slabs.csv').map(slabName))
const manifests = new Map(seed.manifests.map((manifest) => [manifest.reference, manifest]))
const lines = seed.manifests.flatMap((manifest) => manifest.lines)
const items = seed.arrivals.flatMap((arrival) => arrival.items)
/** Slab -> the day on which it became available. */
const availableSince = new Map(
  seed.arrivals
    .filter((arrival) => arrival.to_status === 'available')
    .flatMap((arrival) => arrival.items.map((item) => [item.slab, arrival.days_ago] as const)),
)

describe('seed.json', () => {
  test('names only slabs and SKUs of slabs.csv or catalog.csv', () => {
    const named = [...lines, ...items, ...seed.fulfillments]
    const held = [...seed.fulfillments, ...seed.transfers].flatMap((entry) => entry.slabs ?? [])
    const slabsNamed = [...named.flatMap((entry) => ('slab' in entry ? [entry.slab] : [])), ...held]
    expect(slabsNamed.filter((slab) => !slabs.has(String(slab)))).toEqual([])
    expect(named.flatMap(({ sku }) => (sku === undefined || skus.has(sku) ? [] : [sku]))).toEqual([])
  })

  test('has about 60 slabs that arrive once each and are expected at most once', () => {
    const arrived = items.flatMap((item) => item.slab ?? [])
    expect(arrived.length).toBeGreaterThanOrEqual(55)
    expect(new Set(arrived).size).toBe(arrived.length)
    const expected = lines.flatMap((line) => line.slab ?? [])
    expect(new Set(expected).size).toBe(expected.length)
  })

  test('has well-formed manifests, and arrivals and closes after the manifest they name', () => {
    for (const manifest of seed.manifests) {
      expect(manifestSources).toContain(manifest.source)
      expect(manifest.arrives_from_days).toBeLessThanOrEqual(manifest.arrives_by_days)
      for (const line of manifest.lines) expect(formsOf(line)).toBe(1)
    }
    for (const { manifest, days_ago } of [...seed.arrivals, ...seed.closes]) {
      expect(manifests.get(manifest)?.days_ago).toBeGreaterThanOrEqual(days_ago)
    }
  })

  test('has one open buy sheet of which nothing has arrived', () => {
    const touched = new Set(seed.arrivals.map((arrival) => arrival.manifest))
    expect([...manifests.keys()].filter((reference) => !touched.has(reference))).toEqual(['BS-2031'])
  })

  test('has steps that are bodies of the advance operation, in order of time', () => {
    for (const { days_ago, steps, shipping_address } of seed.fulfillments) {
      expect(() => fulfillmentCreate().shape.shipping_address.parse(shipping_address)).not.toThrow()
      const days = [days_ago, ...steps.map((step) => step.days_ago)]
      expect(days).toEqual(days.toSorted((one, other) => other - one))
      for (const { days_ago: _day, ...body } of steps)
        expect(() => fulfillmentAdvance().parse(body)).not.toThrow()
    }
  })

  test('lets fulfillments and transfers take only free slabs', () => {
    const taken = [...seed.fulfillments, ...seed.transfers].flatMap(({ slabs: names = [], days_ago }) =>
      names.map((slab) => ({ slab, days_ago })),
    )
    expect(new Set(taken.map(({ slab }) => slab)).size).toBe(taken.length)
    for (const { slab, days_ago } of taken) expect(availableSince.get(slab)).toBeGreaterThan(days_ago)
  })

  test('leaves fulfillments and transfers in several states', () => {
    const ends = seed.fulfillments.map(({ steps }) => steps.at(-1)?.to_status ?? 'pending')
    expect(new Set(ends).size).toBeGreaterThanOrEqual(6)
    const resolutions = seed.transfers.map(({ resolve }) => resolve?.to_status ?? 'requested')
    expect(resolutions.toSorted()).toEqual(['completed', 'declined', 'requested'])
    for (const status of resolutions) expect(transferStatuses).toContain(status)
  })

  test('has stock for orders.csv, and then for the good rows of with-faults.csv', () => {
    const left = new Map<string, number>()
    const add = (sku: string, quantity: number) => left.set(sku, (left.get(sku) ?? 0) + quantity)
    for (const { to_status, items: arrived } of seed.arrivals) {
      if (to_status === 'available') for (const item of arrived) add(item.sku ?? '', item.quantity ?? 1)
    }
    for (const { sku, quantity } of seed.fulfillments) if (sku !== undefined) add(sku, -(quantity ?? 0))
    for (const row of readFixtureRows('fulfillments/orders.csv')) add(String(row.sku), -Number(row.quantity))
    for (const [sku, quantity] of [
      ['SUP-TOP-35', 1],
      ['SUP-SLS-PSA', 2],
      ['SUP-OT-35', 1],
    ] as const)
      add(sku, -quantity)
    expect([...left].filter(([, quantity]) => quantity < 0)).toEqual([])
  })

  test('expects no slab of a buy sheet elsewhere', () => {
    const sheets = ['clean', 'two-bad-rows'].flatMap((name) => readFixtureRows(`buy-sheets/${name}.csv`))
    const expected = sheets.filter((row) => row.cert_number !== '').map(slabName)
    const seeded = [...lines, ...items].flatMap((entry) => entry.slab ?? [])
    expect(expected.filter((slab) => seeded.includes(slab))).toEqual([])
    expect(new Set(expected).size).toBe(expected.length)
  })
})

function formsOf(line: Line): number {
  return [line.slab, line.sku, line.description].filter((form) => form !== undefined).length
}

function slabName(row: Row): string {
  return `${row.grader} ${row.cert_number}`
}
