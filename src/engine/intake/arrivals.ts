import { faultsMax } from '../../contract/limits.ts'
import type { Product } from '../../contract/resources/product.ts'
import type { Arrival } from '../../contract/resources/sandbox.ts'
import { arrivalFaults, catalogImagery } from '../../domain/items/arrival.ts'
import { makeQid, qidRandomBytes } from '../../domain/items/qid.ts'
import type { ArrivingItem } from '../../domain/manifests/matching.ts'
import { assert, type FieldErrors, type Given, invalid } from '../../domain/rejection.ts'
import { findTakenQids, type OwnItem } from '../../store/tables/items.ts'
import type { StoredLine } from '../../store/tables/manifest-lines.ts'
import { findProductDocs } from '../../store/tables/products.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'

/** `line_id`: the line it was scanned against, which is tried first. */
export type WarehouseArrival = Arrival & { line_id?: string | undefined }

export type Catalog = ReadonlyMap<string, Product>

/** Throws `invalid` with every faulty arrival, as `items[i]`. */
export function rejectFaulty(arrivals: readonly Arrival[], catalog: Catalog): void {
  const fields = faultsIn(arrivals, catalog)
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

export async function arrivalsFaults(
  view: ReadContext,
  arrivals: Given<readonly Arrival[]> = [],
): Promise<FieldErrors> {
  return faultsIn(arrivals, await loadCatalog(view, arrivals))
}

function faultsIn(arrivals: Given<readonly Arrival[]>, catalog: Catalog): FieldErrors {
  const fields: FieldErrors = {}
  for (const [at, arrival] of arrivals.entries()) {
    if (arrival === undefined) continue
    const faults = arrivalFaults(arrival)
    if (arrival.type === 'product' && arrival.sku !== undefined && !catalog.has(arrival.sku))
      faults.sku = ['is not in the catalog']
    for (const [field, messages] of Object.entries(faults)) fields[`items[${at}].${field}`] = messages
  }
  return Object.fromEntries(Object.entries(fields).slice(0, faultsMax))
}

export async function loadCatalog(view: ReadContext, arrivals: Given<readonly Arrival[]>): Promise<Catalog> {
  const skus = new Set(arrivals.flatMap((arrival) => arrival?.sku ?? []))
  const docs = await findProductDocs(view.tx, [...skus])
  const products = docs.map((doc) => JSON.parse(doc) as Product)
  return new Map(products.map((product) => [product.sku, product]))
}

/** Unused QIDs (2.5). One in 2^55 is drawn twice. */
export async function newQids({ tx, sources }: ReadContext, count: number): Promise<string[]> {
  const qids = new Set<string>()
  while (qids.size < count) {
    while (qids.size < count) qids.add(makeQid(sources.random(qidRandomBytes)))
    for (const taken of await findTakenQids(tx, [...qids])) qids.delete(taken)
  }
  return [...qids]
}

/** The item of an arrival (2.5). Slabs have no imagery before they are digitized. */
export function receivedItem(
  work: UnitOfWork,
  qid: string,
  identity: ArrivingItem,
  { category }: Arrival,
  product: Product | undefined,
  stored: StoredLine | undefined,
): OwnItem {
  assert(identity.sku !== '', 'an item has a SKU', qid)
  assert(stored === undefined || stored.line.id !== '', 'a matched line has an id', qid)
  return {
    qid,
    type: identity.type,
    name: identity.name,
    sku: identity.sku,
    status: 'received',
    ...(category === undefined ? undefined : { category }),
    set: identity.set,
    card_number: identity.card_number,
    external_ref: stored?.line.external_ref ?? null,
    manifest_line_id: stored?.line.id ?? null,
    active_fulfillment_id: null,
    image_assets: catalogImagery(product),
    intake_at: work.now,
    updated_at: work.now,
    model_3d: null,
    cert_number: identity.cert_number,
    grade: identity.grade,
    grader: identity.grader,
  } as OwnItem
}
