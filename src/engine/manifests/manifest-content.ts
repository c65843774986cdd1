import type { Json } from '../../contract/call.ts'
import type { Manifest, ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { digestLength, hasOtherLines, lineContent } from '../../domain/manifests/manifest.ts'
import { conflict } from '../../domain/rejection.ts'
import { inScope, type ScopedTx } from '../../store/database.ts'
import { listLines, type StoredLine } from '../../store/tables/manifest-lines.ts'
import { findByContent, listWithoutContent, saveManifestContent } from '../../store/tables/manifests.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { ReadContext, Workplace } from '../context.ts'
import { inUnitOfWork } from '../unit-of-work.ts'
import { inSlices, sortInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'

const linesAtOnce = 1000

/** The manifest with this content, in any status (decisions 13). Throws a conflict if the reference has other lines. */
export async function repeatedManifest(
  view: ReadContext,
  reference: string,
  content: string,
): Promise<Json<Manifest> | undefined> {
  const { tx } = view
  for (const id of await listWithoutContent(tx, reference)) {
    await saveManifestContent(tx, id, await storedContent(tx, id))
  }
  const found = await findByContent(tx, reference, content)
  if (!found || found.isSame) return found?.doc
  const manifest: Manifest = JSON.parse(found.doc)
  const { id: manifest_id, created_at, status } = manifest
  throw conflict(hasOtherLines(manifest), { manifest_id, created_at, status })
}

/** One transaction per manifest, before the one that compares: a manifest may have 50,000 lines. Sent lines never change. */
export async function keepContents(place: Workplace, scope: Scope, reference: string): Promise<void> {
  const read = <T>(ask: (tx: ScopedTx) => Promise<T>, long = false): Promise<T> =>
    place.db.read((tx) => ask(inScope(tx, scope.id)), { scope: scope.id, long })
  for (const id of await read((tx) => listWithoutContent(tx, reference))) {
    const content = await read((tx) => storedContent(tx, id), true)
    await inUnitOfWork(place, scope, ({ tx }) => saveManifestContent(tx, id, content), { brief: true })
  }
}

async function storedContent(tx: ScopedTx, id: string): Promise<string> {
  return contentOf((await loadLines(tx, id)).map(({ line }) => line))
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

/** Lines are numbered from 1 without gaps, so the count so far is the next page's start. */
export async function loadLines(tx: ScopedTx, id: string): Promise<StoredLine[]> {
  const all: StoredLine[] = []
  for (;;) {
    const page = await listLines(tx, id, all.length, linesAtOnce)
    for (const each of page) all.push(each)
    if (page.length < linesAtOnce) return all
    await yieldToEventLoop()
  }
}
