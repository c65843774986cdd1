import { createHashSet } from '../../connection/hash-set.ts'
import { type JournalChunk, type JournalOwner, listJournals, readJournal } from '../journal/journal.ts'
import { type Find, knownChunks } from '../journal/still-there.ts'
import { markLength } from './order-content.ts'

/** What imports on this machine have ordered, by their journals. */
export type OrderedRows = {
  /** Whether this content was ordered, once for each time that it is asked for: two equal rows are two orders. */
  take(mark: string): boolean
  has(mark: string): boolean
  readonly isEmpty: boolean
  /** Orders with this reference, of a target that lists none. */
  idsOf(ref: string): readonly string[]
}

/** Those of this target count, as far as it shows this key what they have made. */
type Whose = Pick<JournalOwner, 'target' | 'kind'>

/** If the target knows none of this many journals of one key, they are another partner's, or it was reset. */
const askedMax = 5

/** `find`: asks the target for an order by its id. */
export async function orderedRows(folder: string, whose: Whose, find: Find): Promise<OrderedRows> {
  const counted = occurrences()
  const ids = new Map<string, string[]>()
  for (const journals of byKey(folder, whose).values())
    for await (const { orders = '', refs = [] } of chunksThere(journals, find)) {
      for (let at = 0; at < orders.length; at += markLength) counted.note(orders.slice(at, at + markLength))
      for (const [ref, id] of refs) ids.set(ref, [...(ids.get(ref) ?? []), id])
    }
  return { ...counted, isEmpty: counted.size() === 0, idsOf: (ref) => ids.get(ref) ?? [] }
}

/** How often each mark was noted, 16 to 32 bytes for one that was noted once. */
function occurrences() {
  const noted = createHashSet()
  const taken = createHashSet()
  const [again, takenAgain] = [new Map<string, number>(), new Map<string, number>()]
  return {
    note(mark: string): void {
      if (!noted.add(mark)) again.set(mark, (again.get(mark) ?? 1) + 1)
    },
    has: (mark: string): boolean => noted.has(mark),
    size: () => noted.size,
    take(mark: string): boolean {
      if (!noted.has(mark)) return false
      if (taken.add(mark)) return true
      const times = (takenAgain.get(mark) ?? 1) + 1
      takenAgain.set(mark, times)
      return times <= (again.get(mark) ?? 1)
    },
  }
}

/** The journals of this target, those of each key by themselves, the latest first. */
function byKey(folder: string, whose: Whose): Map<string, string[]> {
  const keys = new Map<string, string[]>()
  for (const { path, head } of listJournals(folder, whose)) {
    const key = head.key_mark ?? ''
    keys.set(key, [...(keys.get(key) ?? []), path])
  }
  return keys
}

/** What a restored target lost was made last: where it has one order, it has all that the same key ordered before. */
async function* chunksThere(journals: readonly string[], find: Find): AsyncGenerator<JournalChunk> {
  let isThere = false
  let asked = 0
  for (const path of journals) {
    const chunks = readJournal(path)?.chunks ?? []
    if (!chunks.some(({ created }) => created > 0)) continue
    if (!isThere && ++asked > askedMax) return
    const known = isThere ? chunks.length : await knownChunks(find, chunks)
    const left = chunks.slice(0, known)
    isThere ||= left.some(({ created }) => created > 0)
    yield* left
  }
}
