import type { CandidateLine } from '../../domain/manifests/matching.ts'
import {
  indexedWords,
  isBefore,
  type LinePhrase,
  type LinePlace,
  linePhrase,
  type Phrase,
} from '../../domain/manifests/phrase.ts'
import { findOpenPhrases, listOpenPlaces, type StoredLine } from '../../store/tables/manifest-lines.ts'
import {
  deletePhrase,
  findLastPhraseNo,
  findPhrasePlaces,
  insertPhrases,
  mixPhrase,
  movePhrase,
} from '../../store/tables/phrases.ts'
import type { UnitOfWork } from '../context.ts'
import { inSlices, yieldToEventLoop } from '../yield-to-event-loop.ts'

const phrasesAtOnce = 200

type PlacedPhrase = { phrase: LinePhrase; place: LinePlace; areMixed: boolean }

/** Indexes lines without certificate and SKU by words. Lines of an older manifest become a phrase's first ones. */
export async function addPhrases(
  work: UnitOfWork,
  lines: ReadonlyArray<LinePlace & { line: CandidateLine }>,
): Promise<void> {
  const { tx } = work
  await inSlices(await phrasesOf(lines), phrasesAtOnce, async (some) => {
    const known = await findPhrasePlaces(tx, keysOf(some))
    const fresh = some.filter(({ phrase }) => !known.has(phrase.key))
    if (fresh.length > 0) await insertPhrases(tx, (await findLastPhraseNo(tx)) + 1, fresh)
    for (const { phrase } of fresh) countWords(work, phrase, 1)
    for (const { phrase, place, areMixed } of some) {
      const before = known.get(phrase.key)
      if (before && isBefore(place, before)) await movePhrase(tx, phrase.key, place)
      if (before && before.facts !== null && (areMixed || before.facts !== phrase.facts))
        await mixPhrase(tx, phrase.key)
    }
  })
}

/** A phrase that another open line has moves to that line. Call this after saving the lines. */
export async function dropPhrases(work: UnitOfWork, lines: readonly StoredLine[]): Promise<void> {
  const { tx } = work
  await inSlices(await phrasesOf(lines), phrasesAtOnce, async (some) => {
    const open = await findOpenPhrases(tx, keysOf(some))
    for (const { phrase } of some) {
      if (open.has(phrase.key)) await moveToFirst(work, phrase.key)
      else {
        await deletePhrase(tx, phrase)
        countWords(work, phrase, -1)
      }
      await yieldToEventLoop()
    }
  })
}

/** The phrase must have an open line. */
async function moveToFirst({ tx }: UnitOfWork, key: string): Promise<void> {
  const [first] = (await listOpenPlaces(tx, 'phrase_key', key, { limit: 1 })) as [LinePlace]
  await movePhrase(tx, key, first)
}

async function phrasesOf(lines: ReadonlyArray<LinePlace & { line: CandidateLine }>): Promise<PlacedPhrase[]> {
  const placed = new Map<string, PlacedPhrase>()
  for (const { line, manifest_id, line_no } of lines) {
    const phrase = linePhrase(line)
    const before = phrase && placed.get(phrase.key)
    if (before) before.areMixed ||= before.phrase.facts !== phrase.facts
    else if (phrase) placed.set(phrase.key, { phrase, place: { manifest_id, line_no }, areMixed: false })
    await yieldToEventLoop()
  }
  return [...placed.values()]
}

function keysOf(placed: readonly PlacedPhrase[]): string[] {
  return placed.map(({ phrase }) => phrase.key)
}

/** A word's counter is the number of candidates it leads to. */
function countWords(work: UnitOfWork, phrase: Phrase, by: 1 | -1): void {
  for (const word of indexedWords(phrase.words)) work.count('words', word, by)
}
