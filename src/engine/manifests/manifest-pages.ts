import { listLines, type StoredLine } from '../../store/tables/manifest-lines.ts'
import type { ReadContext } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

const linesAtOnce = 1000

/** Lines are numbered from 1 without gaps, so the count so far is the next page's start. */
export async function loadLines({ tx, scope }: ReadContext, manifestId: string): Promise<StoredLine[]> {
  const all: StoredLine[] = []
  for (;;) {
    const page = await listLines(tx, scope.id, manifestId, all.length, linesAtOnce)
    for (const each of page) all.push(each)
    if (page.length < linesAtOnce) return all
    await yieldToEventLoop()
  }
}
