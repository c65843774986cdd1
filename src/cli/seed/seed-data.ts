import { parse } from 'csv-parse/sync'
import catalogCsv from '../../../fixtures/catalog.csv'
import plan from '../../../fixtures/seed.json' with { type: 'json' }
import slabsCsv from '../../../fixtures/slabs.csv'
import type { SeedPlan, SeedSlab } from './seed-plan.ts'

export { catalogCsv }

export const seedPlan = plan as SeedPlan

/** The sample slabs by their names, `GRADER CERT`. */
export function seedSlabs(): Map<string, SeedSlab> {
  const rows = parse<SeedSlab>(slabsCsv, { columns: true })
  return new Map(rows.map((slab) => [`${slab.grader} ${slab.cert_number}`, slab]))
}

/** The names of the sample products by SKU. */
export function seedProductNames(): Map<string, string> {
  const rows = parse<{ name: string; sku: string }>(catalogCsv, { columns: true })
  return new Map(rows.map(({ sku, name }) => [sku, name]))
}
