import type { Json } from '../../contract/call.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { listLineDocs, listLines, type StoredLine } from '../../store/tables/manifest-lines.ts'
import type { ReadContext } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

const linesAtOnce = 1000

/** All lines of a manifest, in order, read a thousand at a time. Lines are numbered from 1 without gaps. */
export function loadLines({ tx, scope }: ReadContext, manifestId: string): Promise<StoredLine[]> {
  return inPages((after) => listLines(tx, scope.id, manifestId, after, linesAtOnce))
}

/** The wire forms of all lines of a manifest, in order. */
export function loadLineDocs(
  { tx, scope }: ReadContext,
  manifestId: string,
): Promise<Array<Json<ManifestLine>>> {
  return inPages((after) => listLineDocs(tx, scope.id, manifestId, after, linesAtOnce))
}

async function inPages<T>(load: (after: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const page = await load(all.length)
    for (const each of page) all.push(each)
    if (page.length < linesAtOnce) return all
    await yieldToEventLoop()
  }
}
