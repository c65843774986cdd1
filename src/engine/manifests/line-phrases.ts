import type { CandidateLine } from '../../domain/manifests/matching.ts'
import { indexedWords, type LinePlace, linePhrase, type Phrase } from '../../domain/manifests/phrase.ts'
import { findOpenPhrases, listOpenPlaces, type StoredLine } from '../../store/tables/manifest-lines.ts'
import { deletePhrase, findLastPhraseNo, insertPhrases, movePhrase } from '../../store/tables/phrases.ts'
import type { UnitOfWork } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

const phrasesAtOnce = 200
/** Comes after every UUID. */
const afterEveryManifest = 'g'

/** A phrase and a line that has it. */
type PlacedPhrase = { phrase: Phrase; place: LinePlace }

/** Makes the lines of a new manifest that have neither certificate nor SKU findable by their words. Before they are inserted. */
export async function addPhrases(
  work: UnitOfWork,
  manifest_id: string,
  lines: readonly CandidateLine[],
): Promise<void> {
  const { tx, scope } = work
  const placed = await phrasesOf(lines.map((line, at) => ({ line, manifest_id, line_no: at + 1 })))
  if (placed.length === 0) return
  let last = await findLastPhraseNo(tx, scope.id)
  for await (const { fresh } of inParts(work, placed)) {
    await insertPhrases(tx, scope.id, last + 1, fresh)
    last += fresh.length
    for (const { phrase } of fresh) countWords(work, phrase, 1)
  }
}

/**
 * Forgets the words of lines that were filled or closed, where no other open line has the same; else says which of these is
 * the first now. After those are saved.
 */
export async function dropPhrases(work: UnitOfWork, lines: readonly StoredLine[]): Promise<void> {
  const { tx, scope } = work
  for await (const { fresh: gone, open } of inParts(work, await phrasesOf(lines))) {
    for (const { phrase } of gone) {
      await deletePhrase(tx, scope.id, phrase)
      countWords(work, phrase, -1)
      await yieldToEventLoop()
    }
    for (const { phrase } of open) {
      const from = { manifest_id: '', line_no: 0 }
      const [first] = await listOpenPlaces(
        tx,
        scope.id,
        'phrase_key',
        phrase.key,
        from,
        afterEveryManifest,
        1,
      )
      if (first) await movePhrase(tx, scope.id, phrase.key, first)
      await yieldToEventLoop()
    }
  }
}

/** The different phrases of some lines, each with the first of them that has it. */
async function phrasesOf(lines: ReadonlyArray<LinePlace & { line: CandidateLine }>): Promise<PlacedPhrase[]> {
  const placed = new Map<string, PlacedPhrase>()
  for (const { line, manifest_id, line_no } of lines) {
    const phrase = linePhrase(line)
    if (phrase !== null && !placed.has(phrase.key))
      placed.set(phrase.key, { phrase, place: { manifest_id, line_no } })
    await yieldToEventLoop()
  }
  return [...placed.values()]
}

/** A few at a time: those that no line has which is saved as open, and the others. */
async function* inParts(
  work: UnitOfWork,
  placed: readonly PlacedPhrase[],
): AsyncGenerator<{ fresh: PlacedPhrase[]; open: PlacedPhrase[] }, void> {
  for (let from = 0; from < placed.length; from += phrasesAtOnce) {
    const some = placed.slice(from, from + phrasesAtOnce)
    const keys = some.map(({ phrase }) => phrase.key)
    const found = await findOpenPhrases(work.tx, work.scope.id, keys)
    const isOpen = ({ phrase }: PlacedPhrase): boolean => found.has(phrase.key)
    yield { fresh: some.filter((one) => !isOpen(one)), open: some.filter(isOpen) }
    await yieldToEventLoop()
  }
}

/** In how many phrases a word stands tells how many candidates it leads to. */
function countWords(work: UnitOfWork, phrase: Phrase, by: 1 | -1): void {
  for (const word of indexedWords(phrase.words)) work.count('words', word, by)
}
