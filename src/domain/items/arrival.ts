import type { ImageAsset } from '../../contract/resources/item.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import type { Product } from '../../contract/resources/product.ts'
import type { Arrival } from '../../contract/resources/sandbox.ts'
import { graderNamed } from '../graders/certificate.ts'
import type { ArrivingItem } from '../manifests/matching.ts'
import type { FieldErrors, Given } from '../rejection.ts'
import { gradedSku } from './qid.ts'

const slabFields = ['grader', 'grade', 'cert_number'] as const

/** A slab needs its grading, a product its SKU (2.5, decisions 11). */
export function arrivalFaults(arrival: Given<Arrival>): FieldErrors {
  const faults: FieldErrors = {}
  if (arrival.type === undefined) return faults
  if (arrival.type === 'product') {
    if (arrival.sku === undefined) faults.sku = ['is required for a product']
    for (const field of slabFields)
      if (arrival[field] !== undefined) faults[field] = ['is only for a slab; leave it out']
    return faults
  }
  if (arrival.sku !== undefined) faults.sku = ['is only for a product: a slab is given its graded-item SKU']
  for (const field of slabFields)
    if (arrival[field] === undefined) {
      const whose = field === 'grader' ? graderNamed(arrival.cert_number) : ''
      faults[field] = [`is required for a slab${whose}`]
    }
  return faults
}

/** A product gets its name from the catalog. */
export function arrivingItem(arrival: Arrival, product: Product | undefined): ArrivingItem {
  return {
    type: arrival.type,
    name: product?.name ?? arrival.name ?? '',
    sku: arrival.sku ?? '',
    grader: arrival.grader ?? null,
    grade: arrival.grade ?? null,
    cert_number: arrival.cert_number ?? null,
    set: arrival.set ?? null,
    card_number: arrival.card_number ?? null,
  }
}

/** Adds the name and SKU under which the item is received. A slab without a name gets its line's description. */
export function identified(item: ArrivingItem, line: ManifestLine | undefined): ArrivingItem {
  if (item.type === 'product') return item
  // `arrivalFaults` has rejected a slab without a grading.
  const { grader, grade, cert_number } = item
  const name = item.name || line?.description || [grader, grade, cert_number].join(' ')
  const sku = gradedSku({ ...item, name, grader: grader as string, grade: grade as string })
  return { ...item, name, sku }
}

/** Catalog imagery (2.5). The catalog does not know the picture's size, so it is assumed to be square. */
export function catalogImagery(product: Product | undefined): ImageAsset[] {
  if (!product?.image_url) return []
  const format = formatOf(product.image_url)
  return [{ variant: 'front', url: product.image_url, width: 1000, height: 1000, format }]
}

function formatOf(url: string): ImageAsset['format'] {
  const path = url.replace(/[?#].*/s, '').toLowerCase()
  if (path.endsWith('.png')) return 'png'
  return path.endsWith('.webp') ? 'webp' : 'jpeg'
}
