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
import { join, sql } from '../database.ts'
import { countRows } from '../tables/documents.ts'
import { lineColumns, listOpenPlaces, loadLine } from '../tables/manifest-lines.ts'
import { manifestColumns } from '../tables/manifests.ts'
import { listPendingManifests } from '../tables/pending-manifests.ts'
import { type Checked, compare, compareCount, documentOf, type Report } from './check-findings.ts'
import { pagesOf, type Row, rowsOf } from './scoped-rows.ts'

export async function checkManifests(at: Checked): Promise<void> {
  const { tx, report } = at
  const pending = new Map((await listPendingManifests(tx)).map(({ id, line_no }) => [id, line_no]))
  for await (const { rows, part } of pagesOf(at.tx, 'manifests')) {
    const manifests = new Map<string, { status: ManifestStatus; line_count: number }>()
    for (const row of rows) {
      const manifest = documentOf<Manifest>(report, 'manifests', row.id, row.doc)
      if (!manifest) continue
      checkManifest(report, row, manifest)
      const { status, line_count } = manifest
      manifests.set(String(row.id), { status, line_count })
    }
    const contents = new Map(rows.map((row) => [String(row.id), row.content ?? null]))
    const lines = new Map<string, number>()
    let content: { id: string; texts: string[] } = { id: '', texts: [] }
    for await (const row of rowsOf(at.tx, 'manifest_lines', part)) {
      const manifestId = String(row.manifest_id)
      lines.set(manifestId, (lines.get(manifestId) ?? 0) + 1)
      if (content.id !== manifestId) {
        checkContent(report, content, contents)
        content = { id: manifestId, texts: [] }
      }
      const line = contents.get(manifestId) == null ? undefined : parsedJson(String(row.doc))
      if (line) content.texts.push(lineContent(line as ManifestLine))
      checkLine(report, row, statusBy(row, manifests.get(manifestId)?.status, pending.get(manifestId)))
    }
    checkContent(report, content, contents)
    for (const [id, { line_count }] of manifests) {
      compareCount(report, 'manifests', `${id} line_count`, line_count, lines.get(id) ?? 0)
    }
  }
}

/** A manifest's stored digest, if any, equals the digest of its lines. */
function checkContent(
  report: Report,
  { id, texts }: { id: string; texts: string[] },
  contents: ReadonlyMap<string, unknown>,
): void {
  const kept = contents.get(id) ?? null
  const digest = manifestContent(texts.sort())
  if (kept !== null && kept !== digest) report('manifests', id, `content is ${kept}, its lines say ${digest}`)
}

function checkManifest(report: Report, row: Row, manifest: Manifest): void {
  const { status } = manifest
  compare(report, 'manifests', row.id, row, manifestColumns(manifest))
  if (isOpen(status) !== (row.generated_at === null))
    report('manifests', row.id, `is ${status}, but generated_at is ${row.generated_at}`)
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

function checkLine(report: Report, row: Row, status: ManifestStatus | undefined): void {
  const key = `${row.manifest_id} ${row.line_no}`
  const line = documentOf<ManifestLine>(report, 'manifest_lines', key, row.doc)
  if (!line) return
  if (!status) {
    report('manifest_lines', key, 'its manifest is missing')
    return
  }
  const progress = row as unknown as LineProgress
  const is_open = isOpen(status) && hasRoom(progress) ? 1 : 0
  compare(report, 'manifest_lines', key, row, { ...lineColumns(line), is_open })
  const derived = lineStatus(progress, status)
  if (line.status !== derived)
    report('manifest_lines', key, `its document says ${line.status}, its units ${derived}`)
}

/** The index for matching by description stores each phrase of an open line once, with its words. */
export async function checkPhrases(at: Checked): Promise<void> {
  const { tx, report } = at
  let indexed = 0
  for await (const row of rowsOf(at.tx, 'phrases')) {
    const { key, words } = phraseOf(String(row.words).split(' '))
    const [first] = await listOpenPlaces(tx, 'phrase_key', key, { limit: 1 })
    const none = { manifest_id: null, line_no: null }
    const facts = first && typeof row.facts === 'string' ? await factsOf(at, first) : undefined
    const expected = { phrase_key: key, word_count: words.length, ...facts, ...(first ?? none) }
    compare(report, 'phrases', row.phrase_no, row, expected)
    indexed += indexedWords(words).length
  }
  compareCount(report, 'phrase_words', 'rows', await countRows(tx, 'phrase_words'), indexed)
  await checkWords(at)
  await checkMissing(at)
}

/** The facts in a line's description; undefined if the document cannot be parsed, which `checkManifests` reports. */
async function factsOf({ tx }: Checked, place: LinePlace): Promise<{ facts: string | null } | undefined> {
  try {
    return { facts: linePhrase((await loadLine(tx, place)).line)?.facts ?? null }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Every indexed word leads to a phrase that contains it. `checkPhrases` compares the counts, so no word is missing. */
async function checkWords(at: Checked): Promise<void> {
  const { tx, report } = at
  for await (const { rows } of pagesOf(at.tx, 'phrase_words')) {
    if (rows.length === 0) continue
    const numbers = [...new Set(rows.map((row) => row.phrase_no ?? 0))]
    const phrases = await tx.all<{ phrase_no: number; words: string }>(
      sql`select phrase_no, words from phrases where scope_id = ${tx.scope} and phrase_no in (${join(numbers)})`,
    )
    const wordsOf = new Map(phrases.map(({ phrase_no, words }) => [phrase_no, words.split(' ')]))
    for (const { word, word_count, phrase_no } of rows) {
      const words = wordsOf.get(Number(phrase_no)) ?? []
      if (words.length === word_count && indexedWords(words).includes(String(word))) continue
      report('phrase_words', `${word} ${phrase_no}`, 'its phrase does not contain the word')
    }
  }
}

async function checkMissing({ tx, report }: Checked): Promise<void> {
  const missing = await tx.values<string>(sql`
    select distinct l.phrase_key from manifest_lines l
    where l.scope_id = ${tx.scope} and l.is_open = 1 and l.phrase_key is not null and not exists (
      select 1 from phrases p where p.scope_id = l.scope_id and p.phrase_key = l.phrase_key)
    order by l.phrase_key limit 1000`)
  for (const key of missing) report('phrases', key, 'an open line has this phrase, but the index does not')
}
