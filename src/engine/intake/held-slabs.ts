import { type Json, json } from '../../contract/call.ts'
import { certsAtOnceMax, slabsPerCertMax } from '../../contract/limits.ts'
import type { Slabs } from '../../contract/resources/manifest.ts'
import { certKey, type Grading, repeatsAmong, slabKey } from '../../domain/graders/certificate.ts'
import { isHeld } from '../../domain/items/item-states.ts'
import { listByCert, listOfPartners, type OwnItem } from '../../store/tables/items.ts'
import { listOpenByCert } from '../../store/tables/manifest-lines.ts'
import { lockNames } from '../../store/tables/row-locks.ts'
import { type Handler, textsIn, type UnitOfWork } from '../context.ts'

/** A slab already in custody as `item`, perhaps for another `partner`, or already among the arrivals as `before`. */
export type HeldSlab = { at: number } & ({ item: OwnItem; partner?: string } | { before: number })

/** In production of any partner: two could order one slab. A slab that left may come back. `except`: QIDs to ignore. */
export async function heldSlabs(
  { tx, scope }: UnitOfWork,
  arrivals: readonly Grading[],
  except: readonly string[] = [],
): Promise<HeldSlab[]> {
  const certs = [...new Set(arrivals.map(({ cert_number }) => certKey(cert_number ?? '')))].filter(Boolean)
  const names = certs.map((cert) => `slab in ${scope.environment}: ${cert}`)
  // In a sandbox each partner rehearses alone, often with the same samples.
  const whose = scope.environment === 'sandbox' ? 'own' : 'all'
  // Another transaction with one of these slabs waits and then finds it. If slabs were locked in two parts, two could wait for each other.
  if (whose === 'all') await lockNames(tx, names)
  const ignored = new Set(except)
  const held = new Map<string | undefined, { item: OwnItem; partner?: string }>()
  const found = await listOfPartners(tx, scope.environment, 'cert_key', certs, whose)
  for (const { scope_id, partner_name, item } of found) {
    const key = slabKey(item)
    if (!isHeld(item.status) || ignored.has(item.qid) || held.has(key)) continue
    held.set(key, scope_id === scope.id ? { item } : { item, partner: partner_name })
  }
  const repeats = repeatsAmong(arrivals)
  return arrivals.flatMap((arrival, at) => {
    const key = slabKey(arrival)
    const known = key === undefined ? undefined : held.get(key)
    const before = repeats.get(at)
    return known ? { at, ...known } : before !== undefined ? { at, before } : []
  })
}

/** GET /slabs: finds slabs of any grader, since the caller compares graders. Finds none without certificates. */
export const findSlabs: Handler<'findSlabs'> = async ({ tx }, { query }) => {
  const { cert_numbers, ...unused } = query
  unused satisfies Record<string, never>
  const sent = cert_numbers === undefined ? [] : textsIn('cert_numbers', cert_numbers, certsAtOnceMax)
  const certs = [...new Set(sent.map(certKey).filter(Boolean))]
  const [items, lines] = await Promise.all([
    listByCert(tx, certs, slabsPerCertMax),
    listOpenByCert(tx, certs, slabsPerCertMax),
  ])
  const expected = lines.map(({ line, manifest: { id, reference, expected_arrival_end } }) =>
    json({ ...line, manifest_id: id, reference, expected_arrival_end }),
  )
  return `{"items":[${items.join(',')}],"lines":[${expected.join(',')}]}` as Json<Slabs>
}
