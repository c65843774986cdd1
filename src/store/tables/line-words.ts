import { indexedWords, type Phrase, phraseText } from '../../domain/manifests/phrase.ts'
import type { PhraseProbe, StoredPhrase } from '../../domain/manifests/phrase-probes.ts'
import type { SqlValue, Tx } from '../database.ts'
import { sql } from '../sql.ts'

/** Makes phrases of open lines findable by each of their words. */
export async function insertPhrases(tx: Tx, scopeId: number, phrases: readonly Phrase[]): Promise<void> {
  const rows: SqlValue[][] = phrases.flatMap(({ key, words }) => {
    const text = phraseText(words)
    return indexedWords(words).map((word) => [scopeId, word, words.length, key, text])
  })
  await tx.insert('line_words', ['scope_id', 'word', 'word_count', 'phrase_key', 'words'], rows)
}

/** Forgets a phrase that no open line has any more. */
export async function deletePhrase(tx: Tx, scopeId: number, { key, words }: Phrase): Promise<void> {
  for (const word of indexedWords(words)) {
    await tx.change(sql`
      delete from line_words
      where scope_id = ${scopeId} and word = ${word} and word_count = ${words.length} and phrase_key = ${key}`)
  }
}

/** The phrases that a probe leads to. */
export async function listPhrases(tx: Tx, scopeId: number, probe: PhraseProbe): Promise<StoredPhrase[]> {
  return tx.all(sql`
    select phrase_key as key, words as text, word_count from line_words
    where scope_id = ${scopeId} and word = ${probe.word}
      and word_count >= ${probe.least} and word_count <= ${probe.most}`)
}
