import type { Json } from '../../contract/call.ts'
import type { Manifest, ManifestLine, ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { conflict } from '../../domain/refusal.ts'
import { listLines } from '../../store/tables/manifest-lines.ts'
import { findByContent, listWithoutContent, saveManifestContent } from '../../store/tables/manifests.ts'
import type { ReadContext } from '../context.ts'
import { inSlices, sortInTurns } from '../yield-to-event-loop.ts'

const linesAtOnce = 1000

/**
 * The manifest that is already what somebody sends now, whatever has become of it (decisions 13). Throws a conflict if the
 * reference is that of other lines.
 */
export async function repeatedManifest(
  view: ReadContext,
  reference: string,
  content: string,
): Promise<Json<Manifest> | undefined> {
  const { tx, scope } = view
  for (const id of await listWithoutContent(tx, scope.id, reference)) {
    await saveManifestContent(tx, scope.id, id, await contentOf(await allLines(view, id)))
  }
  const found = await findByContent(tx, scope.id, reference, content)
  if (!found || found.isSame) return found?.doc
  const { id: manifest_id, created_at, status }: Manifest = JSON.parse(found.doc)
  throw conflict(
    `Manifest ${manifest_id} of ${created_at.slice(0, 10)}, which is ${status}, has the reference ${reference} and other lines.`,
    { manifest_id, created_at, status },
  )
}

/** What the lines of a manifest are, in whatever order: the first 16 bytes of a SHA-256. */
export async function contentOf(lines: ReadonlyArray<Partial<ManifestLineCreate>>): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto')
  const texts: string[] = []
  await inSlices(lines, linesAtOnce, (some) => void texts.push(...some.map(canonical)))
  const hash = createHash('sha256')
  await inSlices(await sortInTurns(texts), linesAtOnce, (some) => void hash.update(`${some.join('\n')}\n`))
  return hash.digest('hex').slice(0, 32)
}

function canonical(line: Partial<ManifestLineCreate>): string {
  const { external_ref, description, grader, cert_number, quantity = 1, sku } = line
  return JSON.stringify(
    [external_ref, description, grader, cert_number, sku]
      .map((each) => each ?? null)
      .concat(String(quantity)),
  )
}

async function allLines({ tx, scope }: ReadContext, id: string): Promise<ManifestLine[]> {
  const lines: ManifestLine[] = []
  for (;;) {
    const some = await listLines(tx, scope.id, id, lines.length, linesAtOnce)
    lines.push(...some.map(({ line }) => line))
    if (some.length < linesAtOnce) return lines
  }
}
