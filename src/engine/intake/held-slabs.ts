import { type Json, json } from '../../contract/call.ts'
import { certsAtOnceMax, slabsPerCertMax } from '../../contract/limits.ts'
import type { Slabs } from '../../contract/resources/manifest.ts'
import { certKey, type Grading, repeatsAmong, slabKey } from '../../domain/graders/certificate.ts'
import { findHeldByCert, listByCert, type OwnItem } from '../../store/tables/items.ts'
import { listOpenByCert } from '../../store/tables/manifest-lines.ts'
import { type Handler, type ReadContext, textsIn } from '../context.ts'

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
  const repeats = repeatsAmong(arrivals)
  return arrivals.flatMap((arrival, at) => {
    const key = slabKey(arrival)
    const item = key === undefined ? undefined : held.get(key)
    const before = repeats.get(at)
    return item ? { at, item } : before !== undefined ? { at, before } : []
  })
}

/** GET /slabs: finds slabs of any grader, since the caller compares graders. Finds none without certificates. */
export const findSlabs: Handler<'findSlabs'> = async ({ tx, scope }, { query }) => {
  const { cert_numbers } = query
  const sent = cert_numbers === undefined ? [] : textsIn('cert_numbers', cert_numbers, certsAtOnceMax)
  const certs = [...new Set(sent.map(certKey).filter(Boolean))]
  const [items, lines] = await Promise.all([
    listByCert(tx, scope.id, certs, slabsPerCertMax),
    listOpenByCert(tx, scope.id, certs, slabsPerCertMax),
  ])
  const expected = lines.map(({ line, manifest: { id, reference, expected_arrival_end } }) =>
    json({ ...line, manifest_id: id, reference, expected_arrival_end }),
  )
  return `{"items":[${items.join(',')}],"lines":[${expected.join(',')}]}` as Json<Slabs>
}
