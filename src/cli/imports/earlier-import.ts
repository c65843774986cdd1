import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { CliError } from '../base/cli-error.ts'
import type { ChunkedKind } from './import-kind.ts'
import { type Journal, type JournalChunk, readJournal } from './journal.ts'
import { type Keeping, keptRecord } from './kept-file.ts'

/** So long a stored result is counted on; services keep them for 24 hours or longer. */
const replayedMs = 20 * 3_600_000

/**
 * The journal of the same bytes; undefined where there is none of this partner's, or they are to be sent anew on purpose.
 * One of another key that tells of nothing created may be anybody's: its key alone is taken over, which for another
 * partner is a key like any other, so that what this partner may have sent with it is not sent with a second one.
 */
export async function earlierImport(
  { client, kind }: { client: Client; kind: ChunkedKind },
  keeping: Keeping,
  { again, idempotencyKey }: { again?: boolean; idempotencyKey?: string },
): Promise<Journal | undefined> {
  if (again) return undefined
  let begun: Journal | undefined
  const known = await keptRecord(keeping, {
    read(path) {
      const journal = readJournal(path)
      return idempotencyKey === undefined || journal?.head.key === idempotencyKey ? journal : undefined
    },
    startedAt: ({ head }) => head.started_at,
    async isOurs({ head, chunks, isDone }) {
      // What a restored target lost was made last.
      const first = chunks.find(({ created }) => created > 0)
      if (first !== undefined) return isKnown(client, kind, first)
      if (!isDone) begun ??= { head, chunks: [], isDone }
      return false
    },
  })
  return known ?? begun
}

/** Whether the target surely has the result still. `at` is undefined where nobody knows since when. */
export function isReplayedStill(at: string | undefined, now: number): boolean {
  const age = now - Date.parse(at ?? '')
  return age >= 0 && age <= replayedMs
}

/**
 * After which of a journal's chunks an import goes on: the last whose rows the target has. It is asked for one that the
 * chunk created, since sending again would create them where their stored result is gone. 0 where it has none: it was
 * reset or restored since. What cannot be asked for counts as there: nothing may be shipped twice.
 */
export async function knownChunks(
  client: Client,
  kind: ChunkedKind,
  chunks: readonly JournalChunk[],
): Promise<number> {
  let known = chunks.length
  for (const chunk of [...chunks].reverse()) {
    if (chunk.created === 0) continue
    if (await isKnown(client, kind, chunk)) return known
    known = chunk.chunk - 1
  }
  return known === chunks.length ? known : 0
}

async function isKnown(client: Client, kind: ChunkedKind, { made }: JournalChunk): Promise<boolean> {
  return made === undefined || isThere(() => kind.find(client, made))
}

/** False where the target answers that it has no such resource; a target that cannot tell counts as one that has it. */
export async function isThere(find: () => Promise<unknown>): Promise<boolean> {
  try {
    await find()
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return false
    if (error instanceof CliError && error.ending === 'not_found') return false
    if (error instanceof CliError && error.ending === 'not_offered') return true
    throw error
  }
}
