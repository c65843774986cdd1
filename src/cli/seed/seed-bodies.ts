import type { BodyInput } from '../../contract/operations.ts'
import { seedProductNames, seedSlabs } from './seed-data.ts'
import type { SeedArrival, SeedLine, SeedManifest } from './seed-plan.ts'

type Line = BodyInput<'submitManifest'>['lines'][number]
export type Arrival = BodyInput<'createIntakes'>['items'][number]

/** The manifest as it is sent; the plan gives its window in days from `now`. */
export function manifestOf(manifest: SeedManifest, now: Date): BodyInput<'submitManifest'> {
  return {
    reference: manifest.reference,
    source: manifest.source,
    expected_arrival_start: dateIn(now, manifest.arrives_from_days),
    expected_arrival_end: dateIn(now, manifest.arrives_by_days),
    lines: manifest.lines.map(lineOf),
  }
}

/** The UTC date a number of days from now. */
export function dateIn(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

/** The arrivals as they are sent, one for each unit. */
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

/** A slab's or product's line takes its description from the name. */
function lineOf({ slab, sku, description, quantity, external_ref }: SeedLine): Line {
  if (slab !== undefined) {
    const { name, grader, cert_number } = slabNamed(slab)
    return { external_ref, description: name, grader, cert_number }
  }
  const count = quantity === undefined ? {} : { quantity }
  if (sku === undefined) return { external_ref, description: description ?? '', ...count }
  return { external_ref, description: productNames().get(sku) ?? sku, sku, ...count }
}

let slabs: ReturnType<typeof seedSlabs> | undefined
let names: ReturnType<typeof seedProductNames> | undefined

function slabNamed(name: string) {
  slabs ??= seedSlabs()
  const slab = slabs.get(name)
  if (slab === undefined) throw new Error(`${name} is not among the sample slabs`)
  const { name: title, set, card_number, category, grader, grade, cert_number } = slab
  return { name: title, set, card_number, category, grader, grade, cert_number }
}

function productNames(): Map<string, string> {
  names ??= seedProductNames()
  return names
}
