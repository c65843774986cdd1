import { indexedWords, type LinePlace, linePhrase, phraseOf } from '../../domain/manifests/phrase.ts'
import type { Tx } from '../database.ts'
import { join, sql } from '../sql.ts'
import { listOpenPlaces, loadLine } from '../tables/manifest-lines.ts'
import { differences, type Finding, miscount } from './check-findings.ts'
import { pagesOf, rowsOf } from './scoped-rows.ts'

/** The index for matching by description stores each phrase of an open line once, with its words. */
export async function checkPhrases(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  let indexed = 0
  for await (const row of rowsOf(tx, scopeId, 'phrases')) {
    const { key, words } = phraseOf(String(row.words).split(' '))
    const [first] = await listOpenPlaces(tx, scopeId, 'phrase_key', key, { limit: 1 })
    const none = { manifest_id: null, line_no: null }
    const facts = first && typeof row.facts === 'string' ? await factsOf(tx, scopeId, first) : undefined
    const expected = { phrase_key: key, word_count: words.length, ...facts, ...(first ?? none) }
    findings.push(...differences('phrases', String(row.phrase_no), row, expected))
    indexed += indexedWords(words).length
  }
  const kept = await tx.get<{ n: number }>(
    sql`select count(*) as n from phrase_words where scope_id = ${scopeId}`,
  )
  findings.push(...miscount('phrase_words', 'rows', Number(kept?.n ?? 0), indexed))
  return [...findings, ...(await checkWords(tx, scopeId)), ...(await checkMissing(tx, scopeId))]
}

/** The facts in a line's description; undefined if the document cannot be parsed, which `checkManifests` reports. */
async function factsOf(
  tx: Tx,
  scopeId: number,
  place: LinePlace,
): Promise<{ facts: string | null } | undefined> {
  try {
    return { facts: linePhrase((await loadLine(tx, scopeId, place)).line)?.facts ?? null }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Every indexed word leads to a phrase that contains it. `checkPhrases` compares the counts, so no word is missing. */
async function checkWords(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const { rows } of pagesOf(tx, scopeId, 'phrase_words')) {
    if (rows.length === 0) continue
    const numbers = [...new Set(rows.map((row) => row.phrase_no ?? 0))]
    const phrases = await tx.all<{ phrase_no: number; words: string }>(
      sql`select phrase_no, words from phrases where scope_id = ${scopeId} and phrase_no in (${join(numbers)})`,
    )
    const wordsOf = new Map(phrases.map(({ phrase_no, words }) => [phrase_no, words.split(' ')]))
    for (const { word, word_count, phrase_no } of rows) {
      const words = wordsOf.get(Number(phrase_no)) ?? []
      if (words.length === word_count && indexedWords(words).includes(String(word))) continue
      const problem = 'its phrase does not contain the word'
      findings.push({ table: 'phrase_words', key: `${word} ${phrase_no}`, problem })
    }
  }
  return findings
}

async function checkMissing(tx: Tx, scopeId: number): Promise<Finding[]> {
  const missing = await tx.all<{ phrase_key: string }>(sql`
    select distinct l.phrase_key from manifest_lines l
    where l.scope_id = ${scopeId} and l.is_open = 1 and l.phrase_key is not null and not exists (
      select 1 from phrases p where p.scope_id = l.scope_id and p.phrase_key = l.phrase_key)
    order by l.phrase_key limit 1000`)
  return missing.map(({ phrase_key }) => {
    return {
      table: 'phrases',
      key: phrase_key,
      problem: 'an open line has this phrase, but the index does not',
    }
  })
}
