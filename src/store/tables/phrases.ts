import { indexedWords, type LinePhrase, type LinePlace, type Phrase } from '../../domain/manifests/phrase.ts'
import type { PhraseProbe } from '../../domain/manifests/phrase-search.ts'
import { assert } from '../../domain/rejection.ts'
import { asked, insertRecords, join, type ScopedTx, sql } from '../database.ts'

/** `place`: the place of its first open line. `facts` is null if its lines name, or may name, different card numbers or years. */
export type StoredPhrase = LinePlace & {
  phrase_no: number
  phrase_key: string
  words: string
  facts: string | null
}

export async function findLastPhraseNo(tx: ScopedTx): Promise<number> {
  return tx.number(
    sql`select phrase_no from phrases where scope_id = ${tx.scope} order by phrase_no desc limit 1`,
  )
}

export async function insertPhrases(
  tx: ScopedTx,
  firstNo: number,
  phrases: ReadonlyArray<{ phrase: LinePhrase; place: LinePlace; areMixed: boolean }>,
): Promise<void> {
  assert(firstNo >= 1, 'phrases are numbered from 1', tx.scope, firstNo)
  const numbered = phrases.map(({ phrase: { key, words, facts }, place, areMixed }, at) => ({
    scope_id: tx.scope,
    phrase_no: firstNo + at,
    phrase_key: key,
    word_count: words.length,
    words,
    facts: areMixed ? null : facts,
    manifest_id: place.manifest_id,
    line_no: place.line_no,
  }))
  const rows = numbered.map(({ words, ...row }) => ({ ...row, words: words.join(' ') }))
  const wordRows = numbered.flatMap(({ scope_id, phrase_no, word_count, words }) =>
    indexedWords(words).map((word) => ({ scope_id, word, word_count, phrase_no })),
  )
  await insertRecords(tx, 'phrases', rows)
  await insertRecords(tx, 'phrase_words', wordRows)
}

type PhrasePlace = LinePlace & { facts: string | null }

/** The first open line of each phrase; `keys`: one to a few hundred. */
export async function findPhrasePlaces(
  tx: ScopedTx,
  keys: readonly string[],
): Promise<Map<string, PhrasePlace>> {
  const rows = await tx.all<PhrasePlace & { phrase_key: string }>(sql`
    ${asked(keys)} select p.phrase_key, p.facts, p.manifest_id, p.line_no
    from asked cross join phrases p where p.scope_id = ${tx.scope} and p.phrase_key = asked.k`)
  return new Map(rows.map(({ phrase_key, ...place }) => [phrase_key, place]))
}

export async function deletePhrase(tx: ScopedTx, { key, words }: Phrase): Promise<void> {
  await tx.change(sql`
    delete from phrase_words where scope_id = ${tx.scope} and word in (${join(indexedWords(words))})
      and word_count = ${words.length}
      and phrase_no = (select phrase_no from phrases where scope_id = ${tx.scope} and phrase_key = ${key})`)
  await tx.change(sql`delete from phrases where scope_id = ${tx.scope} and phrase_key = ${key}`)
}

export async function movePhrase(tx: ScopedTx, key: string, place: LinePlace): Promise<void> {
  await tx.change(sql`
    update phrases set manifest_id = ${place.manifest_id}, line_no = ${place.line_no}
    where scope_id = ${tx.scope} and phrase_key = ${key}`)
}

export async function mixPhrase(tx: ScopedTx, key: string): Promise<void> {
  await tx.change(sql`update phrases set facts = null where scope_id = ${tx.scope} and phrase_key = ${key}`)
}

/** Phrases found by a probe. Without the cross join, SQLite would start from every phrase of the scope. */
export async function listPhrases(tx: ScopedTx, probe: PhraseProbe): Promise<StoredPhrase[]> {
  return tx.all(sql`
    select p.phrase_no, p.phrase_key, p.words, p.facts, p.manifest_id, p.line_no
    from phrase_words w cross join phrases p
    where w.scope_id = ${tx.scope} and w.word = ${probe.word}
      and w.word_count >= ${probe.least} and w.word_count <= ${probe.most}
      and p.scope_id = w.scope_id and p.phrase_no = w.phrase_no
    order by w.word_count, w.phrase_no limit ${probe.limit}`)
}
