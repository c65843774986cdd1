import { ServiceError } from '../../../client/service-error.ts'
import { CliError } from '../../base/cli-error.ts'
import type { JournalChunk } from './journal.ts'

/** Asks the target for one of the resources that were created, by its id. */
export type Find = (id: string) => Promise<unknown>

/** How long a stored result is relied on; services keep them for 24 hours or longer. */
const replayedMs = 20 * 3_600_000

/**
 * After which of a journal's chunks an import goes on: the last whose rows the target has. It is asked for one that the
 * chunk created, since sending again would create them where their stored result is gone. 0 where it has none: it was
 * reset or restored since. What cannot be asked for counts as there: nothing may be shipped twice.
 */
export async function knownChunks(find: Find, chunks: readonly JournalChunk[]): Promise<number> {
  let known = chunks.length
  for (const chunk of [...chunks].reverse()) {
    if (chunk.created === 0) continue
    if (await isKnown(find, chunk)) return known
    known = chunk.chunk - 1
  }
  return known === chunks.length ? known : 0
}

export async function isKnown(find: Find, { made }: JournalChunk): Promise<boolean> {
  return made === undefined || isThere(() => find(made))
}

/** False if the target answers that it has no such resource; true if it cannot tell. */
export async function isThere(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return false
    if (error instanceof CliError && error.ending === 'not_found') return false
    if (error instanceof CliError && error.ending === 'not_offered') return true
    throw error
  }
}

/** Noted by a clock that was ahead: when that was is not known, now nor when the time has come. */
export function isAhead(at: string | undefined, now: number): boolean {
  return at !== undefined && Date.parse(at) > now
}

/** Whether the target surely has the result still. `at` is undefined where nobody knows since when. */
export function isReplayedStill(at: string | undefined, now: number): boolean {
  const age = now - Date.parse(at ?? '')
  return age >= 0 && age <= replayedMs
}
