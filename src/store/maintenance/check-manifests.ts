import { parsedJson } from '../../contract/call.ts'
import type { ManifestStatus } from '../../contract/enums.ts'
import type { Manifest, ManifestLine } from '../../contract/resources/manifest.ts'
import {
  hasRoom,
  isOpen,
  type LineProgress,
  lineContent,
  lineStatus,
  manifestContent,
} from '../../domain/manifests/manifest.ts'
import { indexedWords, type LinePlace, linePhrase, phraseOf } from '../../domain/manifests/phrase.ts'
import { join, sql, type Tx } from '../database.ts'
import { lineColumns, listOpenPlaces, loadLine } from '../tables/manifest-lines.ts'
import { manifestColumns } from '../tables/manifests.ts'
import { listPendingManifests } from '../tables/pending-manifests.ts'
import { differences, documentOf, type Finding, miscount } from './check-findings.ts'
import { pagesOf, type Row, rowsOf } from './scoped-rows.ts'

export async function checkManifests(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const pending = new Map((await listPendingManifests(tx, scopeId)).map(({ id, line_no }) => [id, line_no]))
  for await (const { rows, part } of pagesOf(tx, scopeId, 'manifests')) {
    const manifests = new Map<string, { status: ManifestStatus; line_count: number }>()
    for (const row of rows) {
      const manifest = documentOf<Manifest>('manifests', String(row.id), row.doc, findings)
      if (!manifest) continue
      findings.push(...checkManifest(row, manifest))
      const { status, line_count } = manifest
      manifests.set(String(row.id), { status, line_count })
    }
    const contents = new Map(rows.map((row) => [String(row.id), row.content ?? null]))
    const lines = new Map<string, number>()
    let content: { id: string; texts: string[] } = { id: '', texts: [] }
    for await (const row of rowsOf(tx, scopeId, 'manifest_lines', part)) {
      const manifestId = String(row.manifest_id)
      lines.set(manifestId, (lines.get(manifestId) ?? 0) + 1)
      if (content.id !== manifestId) {
        findings.push(...checkContent(content, contents))
        content = { id: manifestId, texts: [] }
      }
      const line = contents.get(manifestId) == null ? undefined : parsedJson(String(row.doc))
      if (line) content.texts.push(lineContent(line as ManifestLine))
      findings.push(
        ...checkLine(row, statusBy(row, manifests.get(manifestId)?.status, pending.get(manifestId))),
      )
    }
    findings.push(...checkContent(content, contents))
    for (const [id, { line_count }] of manifests) {
      findings.push(...miscount('manifests', `${id} line_count`, line_count, lines.get(id) ?? 0))
    }
  }
  return findings
}

/** A manifest's stored digest, if any, equals the digest of its lines. */
function checkContent(
  { id, texts }: { id: string; texts: string[] },
  contents: ReadonlyMap<string, unknown>,
): Finding[] {
  const kept = contents.get(id) ?? null
  const digest = manifestContent(texts.sort())
  if (kept === null || kept === digest) return []
  return [{ table: 'manifests', key: id, problem: `content is ${kept}, its lines say ${digest}` }]
}

function checkManifest(row: Row, manifest: Manifest): Finding[] {
  const { status } = manifest
  const key = String(row.id)
  const findings = differences('manifests', key, row, manifestColumns(manifest))
  if (isOpen(status) === (row.generated_at === null)) return findings
  const problem = `is ${status}, but generated_at is ${row.generated_at}`
  return [...findings, { table: 'manifests', key, problem }]
}

/** The status that applies to a line. During a stepped submission or close, lines after `upTo` still count as open. */
function statusBy(
  { line_no }: Row,
  status: ManifestStatus | undefined,
  upTo: number | undefined,
): ManifestStatus | undefined {
  if (upTo === undefined) return status
  return status && Number(line_no) <= upTo ? status : 'receiving'
}

function checkLine(row: Row, status: ManifestStatus | undefined): Finding[] {
  const findings: Finding[] = []
  const key = `${row.manifest_id} ${row.line_no}`
  const line = documentOf<ManifestLine>('manifest_lines', key, row.doc, findings)
  if (!line) return findings
  if (!status) return [{ table: 'manifest_lines', key, problem: 'its manifest is missing' }]
  const progress = row as unknown as LineProgress
  const is_open = isOpen(status) && hasRoom(progress) ? 1 : 0
  findings.push(...differences('manifest_lines', key, row, { ...lineColumns(line), is_open }))
  const derived = lineStatus(progress, status)
  if (line.status === derived) return findings
  const problem = `its document says ${line.status}, its units ${derived}`
  return [...findings, { table: 'manifest_lines', key, problem }]
}

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
