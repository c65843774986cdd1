import type { Json } from '../../contract/call.ts'
import type { Manifest, ManifestLine, ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { digestLength, hasOtherLines, lineContent } from '../../domain/manifests/manifest.ts'
import { conflict } from '../../domain/rejection.ts'
import { listLines } from '../../store/tables/manifest-lines.ts'
import { findByContent, listWithoutContent, saveManifestContent } from '../../store/tables/manifests.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { ReadContext, Workplace } from '../context.ts'
import { inUnitOfWork } from '../unit-of-work.ts'
import { inSlices, sortInTurns } from '../yield-to-event-loop.ts'

const linesAtOnce = 1000

/** The manifest with this content, in any status (decisions 13). Throws a conflict if the reference has other lines. */
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
  const manifest: Manifest = JSON.parse(found.doc)
  const { id: manifest_id, created_at, status } = manifest
  throw conflict(hasOtherLines(manifest), { manifest_id, created_at, status })
}

/** One transaction per manifest, before the one that compares: a manifest may have 50,000 lines. Sent lines never change. */
export async function keepContents(place: Workplace, scope: Scope, reference: string): Promise<void> {
  const { db, sources, settings } = place
  for (const id of await db.read((tx) => listWithoutContent(tx, scope.id, reference), { scope: scope.id })) {
    const content = await db.read(
      async (tx) => contentOf(await allLines({ tx, scope, sources, settings }, id)),
      { scope: scope.id, long: true },
    )
    await inUnitOfWork(place, scope, ({ tx }) => saveManifestContent(tx, scope.id, id, content), {
      brief: true,
    })
  }
}

/** The first 16 bytes of a SHA-256 over the lines, in any order. */
export async function contentOf(lines: ReadonlyArray<Partial<ManifestLineCreate>>): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto')
  const texts: string[] = []
  await inSlices(lines, linesAtOnce, (some) => void texts.push(...some.map(lineContent)))
  const hash = createHash('sha256')
  await inSlices(await sortInTurns(texts), linesAtOnce, (some) => void hash.update(`${some.join('\n')}\n`))
  return hash.digest('hex').slice(0, digestLength)
}

async function allLines({ tx, scope }: ReadContext, id: string): Promise<ManifestLine[]> {
  const lines: ManifestLine[] = []
  for (;;) {
    const some = await listLines(tx, scope.id, id, lines.length, linesAtOnce)
    lines.push(...some.map(({ line }) => line))
    if (some.length < linesAtOnce) return lines
  }
}
