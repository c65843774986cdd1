import { certKey, type Grading, slabKey } from '../../domain/graders/certificate.ts'
import { findHeldByCert, type OwnItem } from '../../store/tables/items.ts'
import type { ReadContext } from '../context.ts'

/** A slab already in custody as `item`, or already among the arrivals as `before`. */
export type HeldSlab = { at: number } & ({ item: OwnItem } | { before: number })

/** Compares graders and certificates. A slab that left may return: it may have been sold and bought again. */
export async function heldSlabs(
  { tx, scope }: Pick<ReadContext, 'tx' | 'scope'>,
  arrivals: readonly Grading[],
): Promise<HeldSlab[]> {
  const certs = new Set(arrivals.map(({ cert_number }) => certKey(cert_number ?? '')).filter(Boolean))
  const held = new Map<string | undefined, OwnItem>()
  for (const { item } of await findHeldByCert(tx, scope.id, [...certs])) held.set(slabKey(item), item)
  const found: HeldSlab[] = []
  const earlier = new Map<string, number>()
  for (const [at, arrival] of arrivals.entries()) {
    const key = slabKey(arrival)
    if (key === undefined) continue
    const item = held.get(key)
    const before = earlier.get(key)
    if (item) found.push({ at, item })
    else if (before !== undefined) found.push({ at, before })
    earlier.set(key, before ?? at)
  }
  return found
}
