import type { Client } from '../../client/client.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import type { ManifestRow } from '../../domain/manifests/manifest-csv.ts'
import type { Session } from '../command.ts'
import { askTarget } from '../find/ask-target.ts'
import { findItems } from '../items/find-items.ts'
import type { ManifestRows } from './manifest-rows.ts'

/** Slabs in custody or already expected, since a slab arrives once. Empty if the reference is used: this may be a repeat. */
export async function knownSlabs(
  session: Session,
  { accepted }: Pick<ManifestRows, 'accepted'>,
  reference: string,
): Promise<Lint[]> {
  const slabs = accepted.flatMap(({ row, value }) => {
    const { grader, cert_number } = value as ManifestRow
    return cert_number === null ? [] : [{ row, grader, cert_number }]
  })
  if (slabs.length === 0) return []
  return (await askTarget(session, (client) => lookUp(client, slabs, reference))) ?? []
}

type Slab = { row: number; grader: string | null; cert_number: string }

async function lookUp(client: Client, slabs: readonly Slab[], reference: string): Promise<Lint[]> {
  if (reference !== '') {
    const { data } = await client.listManifests({ query: { reference, page_size: 1 } })
    if (data.total > 0) return []
  }
  const rows = slabs.map((slab, at) => ({ ...slab, row: at + 1, given: slab.cert_number, qid: null }))
  const found = await findItems(client, rows, false)
  return found.flatMap(({ answer, item, grader, reference: manifest }, at) => {
    const { row = 0, cert_number = '' } = slabs[at] ?? {}
    const where =
      answer === 'held'
        ? `is already in custody: ${item?.qid}, ${item?.status}`
        : answer === 'ambiguous'
          ? `is already in custody as the number of several graders' slabs: ${grader}`
          : answer === 'expected' && `is on the open manifest ${manifest} already`
    if (where === false) return []
    return { row, field: 'cert_number', message: `"${cert_number}" ${where}`, isCertain: false }
  })
}
