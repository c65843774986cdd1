import type { Client } from '../../src/client/client.ts'
import type { BodyInput } from '../../src/contract/operations.ts'
import type { IntakeEvent } from '../../src/contract/resources/item.ts'
import type { Manifest, ManifestWithLines } from '../../src/contract/resources/manifest.ts'
import { box } from './box.ts'

export type LineSent = BodyInput<'submitManifest'>['lines'][number]
export type ArrivalSent = BodyInput<'createIntakes'>['items'][number]

/** Adds products to the catalog, called `Product {sku}`. */
export async function stockCatalog(client: Client, ...skus: string[]): Promise<void> {
  for (const sku of skus) {
    await client.createProduct({ body: { ...box(sku), name: `Product ${sku}` } })
  }
}

/** A manifest of these lines; a text becomes a line with that description alone. */
export async function submit(
  client: Client,
  reference: string,
  lines: ReadonlyArray<LineSent | string>,
  more: Partial<BodyInput<'submitManifest'>> = {},
): Promise<Manifest> {
  const sent = lines.map((line) => (typeof line === 'string' ? { description: line } : line))
  return (await client.submitManifest({ body: { reference, lines: sent, ...more } })).data
}

export async function manifestOf(client: Client, id: string): Promise<ManifestWithLines> {
  return (await client.getManifest({ params: { manifest_id: id } })).data
}

/** A line of a slab. */
export function slabLine(cert_number: string, grader: string | null = 'PSA'): LineSent {
  return { description: `Slab ${cert_number}`, grader, cert_number }
}

/** An arriving slab whose name matches no line. */
export function slab(cert_number: string, more: Partial<ArrivalSent> = {}): ArrivalSent {
  return { type: 'graded_slab', name: 'Unlisted', grader: 'PSA', grade: '9', cert_number, ...more }
}

let certs = 0

/** An arriving slab whose certificate no line names. */
export function named(name: string, more: Partial<ArrivalSent> = {}): ArrivalSent {
  certs += 1
  return slab(`UNLISTED-${certs}`, { name, ...more })
}

export function product(sku: string, more: Partial<ArrivalSent> = {}): ArrivalSent {
  return { type: 'product', sku, ...more }
}

/** Simulated arrivals, attributed to a manifest if one is given. */
export async function arrive(
  client: Client,
  items: readonly ArrivalSent[],
  manifest?: { id: string },
): Promise<IntakeEvent[]> {
  const body = { items: [...items], ...(manifest && { manifest_id: manifest.id }) }
  return (await client.createIntakes({ body })).data.intakes
}
