import type { CandidateLine } from '../../domain/manifests/matching.ts'
import { indexedWords, linePhrase, type Phrase } from '../../domain/manifests/phrase.ts'
import { deletePhrase, insertPhrases } from '../../store/tables/line-words.ts'
import { findOpenPhrases } from '../../store/tables/manifest-lines.ts'
import type { UnitOfWork } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

const phrasesAtOnce = 200

/** Makes lines that have neither certificate nor SKU findable by their words. Before the lines themselves are inserted. */
export async function addPhrases(work: UnitOfWork, lines: readonly CandidateLine[]): Promise<void> {
  for await (const phrases of phrasesWithoutLine(work, lines)) {
    await insertPhrases(work.tx, work.scope.id, phrases)
    for (const phrase of phrases) countWords(work, phrase, 1)
  }
}

/** Forgets the words of lines that were filled or closed, where no other open line has the same. After those are saved. */
export async function dropPhrases(work: UnitOfWork, lines: readonly CandidateLine[]): Promise<void> {
  for await (const phrases of phrasesWithoutLine(work, lines)) {
    for (const phrase of phrases) {
      await deletePhrase(work.tx, work.scope.id, phrase)
      countWords(work, phrase, -1)
      await yieldToEventLoop()
    }
  }
}

/** The different phrases of some lines that no line has which is saved as open, a few at a time. */
async function* phrasesWithoutLine(
  work: UnitOfWork,
  lines: readonly CandidateLine[],
): AsyncGenerator<Phrase[], void> {
  const all = new Map<string, Phrase>()
  for (const line of lines) {
    const phrase = linePhrase(line)
    if (phrase !== null) all.set(phrase.key, phrase)
    await yieldToEventLoop()
  }
  const phrases = [...all.values()]
  for (let from = 0; from < phrases.length; from += phrasesAtOnce) {
    const some = phrases.slice(from, from + phrasesAtOnce)
    const keys = some.map((phrase) => phrase.key)
    const open = await findOpenPhrases(work.tx, work.scope.id, keys)
    yield some.filter((phrase) => !open.has(phrase.key))
    await yieldToEventLoop()
  }
}

/** In how many phrases a word stands tells how many candidates it leads to. */
function countWords(work: UnitOfWork, phrase: Phrase, by: 1 | -1): void {
  for (const word of indexedWords(phrase.words)) work.count('words', word, by)
}
