import type { ItemStatus, ManifestSource } from '../../contract/enums.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { FulfillmentCreate } from '../../contract/resources/fulfillment.ts'

/** An item, by `GRADER CERT` of a slab or by the SKU of a product. */
export type SeedLine = {
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

/** fixtures/seed.json: the history of a sandbox, in days before it was made. */
export type SeedPlan = {
  manifests: SeedManifest[]
  arrivals: SeedArrival[]
  closes: Array<{ days_ago: number; manifest: string }>
  fulfillments: SeedFulfillment[]
  transfers: SeedTransfer[]
}

/** A row of fixtures/slabs.csv. */
export type SeedSlab = {
  name: string
  set: string
  card_number: string
  category: string
  grader: string
  grade: string
  cert_number: string
}
