import type { Client } from '../../client/client.ts'
import type { ChunkedKind } from './import-kind.ts'
import { type Journal, readJournal } from './journal/journal.ts'
import { type Keeping, keptRecord } from './journal/kept-file.ts'
import { isKnown } from './journal/still-there.ts'
import { moveUnanswered } from './journal/unanswered.ts'

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
    move: moveUnanswered,
    startedAt: ({ head }) => head.started_at,
    async isOurs({ head, chunks, known, isDone, isGivenUp }) {
      // A restored target lost what was made last.
      const first = chunks.find(({ created }) => created > 0)
      if (first !== undefined) return isKnown((id) => kind.find(client, id), first)
      // What it found out holds only for its own partner.
      if (!isDone && known.size === 0) begun ??= { head, chunks: [], known, isDone, isGivenUp }
      return false
    },
  })
  return known ?? begun
}
