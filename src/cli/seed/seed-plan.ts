import { parse } from 'csv-parse/sync'
import catalogCsv from '../../../fixtures/catalog.csv'
import plan from '../../../fixtures/seed.json' with { type: 'json' }
import slabsCsv from '../../../fixtures/slabs.csv'
import type { ItemStatus, ManifestSource } from '../../contract/enums.ts'
import { dayMs } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { FulfillmentCreate } from '../../contract/resources/fulfillment.ts'

/** `slab` is `GRADER CERT`. */
type SeedLine = {
  slab?: string
  sku?: string
  description?: string
  quantity?: number
  external_ref: string
}

export type SeedManifest = {
  days_ago: number
  reference: string
  source: ManifestSource
  arrives_from_days: number
  arrives_by_days: number
  lines: SeedLine[]
}

export type SeedArrival = {
  days_ago: number
  manifest: string
  to_status: ItemStatus
  items: Array<{ slab?: string; sku?: string; quantity?: number; condition_flags?: string[] }>
}

export type SeedFulfillment = {
  days_ago: number
  external_ref: string
  type?: FulfillmentCreate['type']
  slabs?: string[]
  sku?: string
  quantity?: number
  deliver_by_days?: number
  special_instructions?: string
  shipping_address: FulfillmentCreate['shipping_address']
  steps: Array<{ days_ago: number } & BodyInput<'advanceFulfillment'>>
}

export type SeedTransfer = {
  days_ago: number
  external_ref: string
  slabs: string[]
  resolve?: { days_ago: number } & BodyInput<'resolveTransfer'>
}

/** fixtures/seed.json: the history of a sandbox, in days before its creation. */
type SeedPlan = {
  manifests: SeedManifest[]
  arrivals: SeedArrival[]
  closes: Array<{ days_ago: number; manifest: string }>
  fulfillments: SeedFulfillment[]
  transfers: SeedTransfer[]
}

type SeedSlab = Record<
  'name' | 'set' | 'card_number' | 'category' | 'grader' | 'grade' | 'cert_number',
  string
>

export { catalogCsv }

export const seedPlan = plan as SeedPlan

const slabs = once(() => {
  const rows = parse<SeedSlab>(slabsCsv, { columns: true })
  return new Map(rows.map((slab) => [`${slab.grader} ${slab.cert_number}`, slab]))
})

const productNames = once(() => {
  const rows = parse<{ name: string; sku: string }>(catalogCsv, { columns: true })
  return new Map(rows.map(({ sku, name }) => [sku, name]))
})

type Line = BodyInput<'submitManifest'>['lines'][number]
export type Arrival = BodyInput<'createIntakes'>['items'][number]

export function manifestOf(manifest: SeedManifest, now: number): BodyInput<'submitManifest'> {
  return {
    reference: manifest.reference,
    source: manifest.source,
    expected_arrival_start: dateIn(now, manifest.arrives_from_days),
    expected_arrival_end: dateIn(now, manifest.arrives_by_days),
    lines: manifest.lines.map(lineOf),
  }
}

export function dateIn(now: number, days: number): string {
  return new Date(now + days * dayMs).toISOString().slice(0, 10)
}

export function arrivalsOf(arrival: SeedArrival): Arrival[] {
  return arrival.items.flatMap(({ slab, sku, quantity = 1, condition_flags = [] }): Arrival[] => {
    if (slab === undefined) {
      const unit = { type: 'product' as const, ...(sku !== undefined && { sku }), condition_flags }
      return Array.from({ length: quantity }, () => unit)
    }
    const { card_number, set, ...known } = slabNamed(slab)
    return [
      { type: 'graded_slab', ...known, set: set || null, card_number: card_number || null, condition_flags },
    ]
  })
}

function lineOf({ slab, sku, description, quantity, external_ref }: SeedLine): Line {
  if (slab !== undefined) {
    const { name, grader, cert_number } = slabNamed(slab)
    return { external_ref, description: name, grader, cert_number }
  }
  const count = quantity === undefined ? {} : { quantity }
  if (sku === undefined) return { external_ref, description: description ?? '', ...count }
  return { external_ref, description: productNames().get(sku) ?? sku, sku, ...count }
}

function slabNamed(name: string): SeedSlab {
  const slab = slabs().get(name)
  if (slab === undefined) throw new Error(`${name} is not among the sample slabs`)
  return slab
}
