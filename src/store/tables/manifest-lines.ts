import type { Json } from '../../contract/call.ts'
import type { Environment } from '../../contract/enums.ts'
import type { Manifest, ManifestLine } from '../../contract/resources/manifest.ts'
import { certKey } from '../../domain/graders/certificate.ts'
import { hasRoom, type LineProgress, type LineRecord } from '../../domain/manifests/manifest.ts'
import { type LinePlace, linePhrase } from '../../domain/manifests/phrase.ts'
import { assert } from '../../domain/rejection.ts'
import { allAmong, asked, insertRecords, join, raw, type ScopedTx, type Sql, sql } from '../database.ts'
import type { ManifestRow } from './manifests.ts'

/** A line, its place in its manifest (from 1), and stored facts that its JSON lacks. */
export type StoredLine = LineRecord & { manifest_id: string; line_no: number; line: ManifestLine }

type LineRow = Omit<StoredLine, 'condition_flags' | 'line'> & { condition_flags: string; doc: string }

export type LineKey = 'cert_key' | 'sku' | 'phrase_key'

const recordColumns = sql`
  manifest_id, line_no, quantity, clean, flagged, condition_flags, match_key, match_score, doc`

export async function insertLines(
  tx: ScopedTx,
  lines: ReadonlyArray<{ stored: StoredLine; doc: Json<ManifestLine> }>,
): Promise<void> {
  for (const [at, { stored, doc }] of lines.entries()) {
    const { manifest_id, line_no, line } = stored
    assert(
      line_no === (lines[0]?.stored.line_no ?? 0) + at,
      'lines are numbered without a gap',
      manifest_id,
      line_no,
    )
    assert(line_no >= 1, 'lines are numbered from 1', manifest_id, line_no)
    assert(line.quantity >= 1, 'a line expects a unit', line.id, line.quantity)
    assert(doc.includes(line.id), 'a document belongs to its line', line.id)
  }
  const rows = lines.map(({ stored: { line, ...stored }, doc }) => ({
    scope_id: tx.scope,
    manifest_id: stored.manifest_id,
    line_no: stored.line_no,
    ...lineColumns(line),
    clean: stored.clean,
    flagged: stored.flagged,
    is_open: hasRoom(stored) ? 1 : 0,
    condition_flags: JSON.stringify(stored.condition_flags),
    match_key: stored.match_key,
    match_score: stored.match_score,
    doc,
  }))
  await insertRecords(tx, 'manifest_lines', rows)
}

export function lineColumns(line: ManifestLine) {
  const { id, cert_number, sku, quantity } = line
  const cert_key = cert_number === null ? null : certKey(cert_number)
  return { id, cert_key, sku, phrase_key: linePhrase(line)?.key ?? null, quantity }
}

/** Saves the fields that arrivals and closing change; the fields that the partner sent never change. */
export async function updateLine(
  tx: ScopedTx,
  stored: StoredLine,
  isOpen: boolean,
  doc: Json<ManifestLine>,
): Promise<void> {
  const { line, clean, flagged, quantity } = stored
  assert(doc.includes(line.id), 'a document belongs to its line', line.id)
  assert(clean >= 0 && flagged >= 0, 'units are counted from 0', line.id, clean, flagged)
  assert(
    clean + flagged <= quantity,
    'no more units arrive for a line than it expects',
    line.id,
    clean,
    flagged,
  )
  assert(!isOpen || hasRoom(stored), 'an open line has room', line.id)
  await tx.change(sql`
    update manifest_lines set clean = ${stored.clean}, flagged = ${stored.flagged}, is_open = ${isOpen ? 1 : 0},
      condition_flags = ${JSON.stringify(stored.condition_flags)}, match_key = ${stored.match_key},
      match_score = ${stored.match_score}, doc = ${doc}
    where scope_id = ${tx.scope} and manifest_id = ${stored.manifest_id} and line_no = ${stored.line_no}`)
}

export async function listLines(
  tx: ScopedTx,
  manifestId: string,
  afterNo: number,
  limit: number,
): Promise<StoredLine[]> {
  const rows = await tx.all<LineRow>(sql`
    select ${recordColumns} from manifest_lines where scope_id = ${tx.scope} and manifest_id = ${manifestId} and line_no > ${afterNo}
    order by line_no limit ${limit}`)
  return rows.map(recordOf)
}

export async function sumLines(tx: ScopedTx, manifestId: string): Promise<LineProgress> {
  const sums = await tx.get<LineProgress>(sql`
    select coalesce(sum(quantity), 0) as quantity, coalesce(sum(clean), 0) as clean,
      coalesce(sum(flagged), 0) as flagged
    from manifest_lines where scope_id = ${tx.scope} and manifest_id = ${manifestId}`)
  return sums ?? { quantity: 0, clean: 0, flagged: 0 }
}

export async function listLineDocs(
  tx: ScopedTx,
  manifestId: string,
  afterNo: number,
  limit: number,
): Promise<Array<Json<ManifestLine>>> {
  return tx.values(sql`
    select doc from manifest_lines
    where scope_id = ${tx.scope} and manifest_id = ${manifestId} and line_no > ${afterNo}
    order by line_no limit ${limit}`)
}

/** `ids`: at most a hundred. */
export async function findProgress(
  tx: ScopedTx,
  ids: readonly string[],
): Promise<Array<LineProgress & { id: string }>> {
  if (ids.length === 0) return []
  return tx.all(sql`
    ${asked(ids)} select l.id, l.quantity, l.clean, l.flagged
    from asked cross join manifest_lines l where l.scope_id = ${tx.scope} and l.id = asked.k`)
}

/** In no particular order; `ids`: at most a hundred. */
export async function findLines(
  tx: ScopedTx,
  manifestId: string,
  ids: readonly string[],
): Promise<StoredLine[]> {
  if (ids.length === 0) return []
  const rows = await tx.all<LineRow>(sql`
    ${asked(ids)} select ${recordColumns}
    from asked cross join manifest_lines l where l.scope_id = ${tx.scope} and l.id = asked.k`)
  return rows.filter((row) => row.manifest_id === manifestId).map(recordOf)
}

/** Throws if the line does not exist. */
export async function loadLine(tx: ScopedTx, place: LinePlace): Promise<StoredLine> {
  const row = await tx.get<LineRow>(sql`
    select ${recordColumns} from manifest_lines
    where scope_id = ${tx.scope} and manifest_id = ${place.manifest_id} and line_no = ${place.line_no}`)
  if (!row) throw new Error(`line ${place.line_no} of manifest ${place.manifest_id} is gone`)
  return recordOf(row)
}

export async function deleteLines(tx: ScopedTx, manifestId: string, afterNo: number): Promise<void> {
  await tx.change(sql`
    delete from manifest_lines
    where scope_id = ${tx.scope} and manifest_id = ${manifestId} and line_no > ${afterNo}`)
}

/** Places after one, up to and including those of `lastManifest`. */
type PlacePage = { after?: LinePlace; lastManifest?: string | undefined; limit: number }

const beforeEveryLine: LinePlace = { manifest_id: '', line_no: 0 }
/** Sorts after every UUID. */
const afterEveryManifest = 'g'

/** Places of open lines, in matching order. Places only, from a covering index: for whole lines SQLite would walk the scope. */
export async function listOpenPlaces(
  tx: ScopedTx,
  by: LineKey,
  key: string,
  page: PlacePage,
): Promise<LinePlace[]> {
  return tx.all<LinePlace>(openPlaces(tx.scope, by, key, page))
}

/** The first open line after a place, whole, with its manifest if that is submitted. The place is a scalar query: as a joined table, SQLite takes five times as long. */
export async function findOpenLine(
  tx: ScopedTx,
  by: LineKey,
  key: string,
  page: Omit<PlacePage, 'limit'>,
): Promise<{ stored: StoredLine; manifest: ManifestRow | undefined } | undefined> {
  const row = await tx.get<LineRow & Partial<ManifestRow> & { manifest: string | null }>(sql`
    select l.manifest_id, l.line_no, l.quantity, l.clean, l.flagged, l.condition_flags, l.match_key, l.match_score, l.doc,
      m.unexpected, m.generated_at, m.doc as manifest
    from manifest_lines l left join manifests m on m.scope_id = l.scope_id and m.id = l.manifest_id
    where l.scope_id = ${tx.scope}
      and (l.manifest_id, l.line_no) = (${openPlaces(tx.scope, by, key, { ...page, limit: 1 })})`)
  if (!row) return undefined
  const { unexpected, generated_at, manifest, ...line } = row
  const whole = manifest === null ? undefined : ({ unexpected, generated_at, doc: manifest } as ManifestRow)
  return { stored: recordOf(line), manifest: whole }
}

/** At most `each` of a certificate, in matching order. Lines of a manifest that is still being sent are not open to anyone. */
export async function listOpenByCert(
  tx: ScopedTx,
  certKeys: readonly string[],
  each: number,
): Promise<Array<{ line: ManifestLine; manifest: Manifest }>> {
  const rows = await allAmong(certKeys, 500, (some) =>
    tx.all<{ line: string; manifest: string }>(sql`
      select l.doc as line, m.doc as manifest
      from (select manifest_id, line_no, row_number() over (partition by cert_key order by manifest_id, line_no) as place
        from manifest_lines where scope_id = ${tx.scope} and is_open = 1 and cert_key in (${join(some)})) p
      cross join manifests m cross join manifest_lines l
      where place <= ${each} and m.scope_id = ${tx.scope} and m.id = p.manifest_id and m.status <> 'reconciled'
        and l.scope_id = ${tx.scope} and l.manifest_id = p.manifest_id and l.line_no = p.line_no
      order by l.manifest_id, l.line_no`),
  )
  return rows.map(({ line, manifest }) => ({ line: JSON.parse(line), manifest: JSON.parse(manifest) }))
}

/** Open lines with this key: own ones, or those of all other partners in the environment. */
export async function listOpenOf(
  tx: ScopedTx,
  of: { environment: Environment; whose: 'own' | 'others'; by: LineKey; key: string; limit: number },
): Promise<Array<{ partner_name: string; reference: string; line: ManifestLine }>> {
  const rows = await tx.all<{ partner_name: string; reference: string; doc: string }>(sql`
    select p.name as partner_name, m.reference, l.doc
    from scopes s join partners p on p.id = s.partner_id
      cross join manifest_lines k cross join manifests m cross join manifest_lines l
    where s.environment = ${of.environment} and s.id ${raw(of.whose === 'own' ? '=' : '<>')} ${tx.scope}
      and k.scope_id = s.id and k.is_open = 1 and k.${raw(of.by)} = ${of.key}
      and m.scope_id = s.id and m.id = k.manifest_id and m.status <> 'reconciled'
      and l.scope_id = s.id and l.manifest_id = k.manifest_id and l.line_no = k.line_no
    order by s.id, k.manifest_id, k.line_no limit ${of.limit}`)
  return rows.map(({ doc, ...found }) => ({ ...found, line: JSON.parse(doc) }))
}

function openPlaces(
  scopeId: number,
  by: LineKey,
  key: string,
  { after = beforeEveryLine, lastManifest = afterEveryManifest, limit }: PlacePage,
): Sql {
  // `is_open = 1` must be a literal: SQLite uses a partial index only for the same literal.
  return sql`
    select manifest_id, line_no from manifest_lines
    where scope_id = ${scopeId} and is_open = 1 and ${raw(by)} = ${key}
      and (manifest_id, line_no) > (${after.manifest_id}, ${after.line_no}) and manifest_id <= ${lastManifest}
    order by manifest_id, line_no limit ${limit}`
}

/** `phraseKeys`: one to a few hundred. */
export async function findOpenPhrases(tx: ScopedTx, phraseKeys: readonly string[]): Promise<Set<string>> {
  return new Set(
    await tx.values<string>(sql`
    ${asked(phraseKeys)} select k as phrase_key from asked where exists (
      select 1 from manifest_lines l where l.scope_id = ${tx.scope} and l.is_open = 1 and l.phrase_key = asked.k)`),
  )
}

function recordOf({ doc, condition_flags, ...facts }: LineRow): StoredLine {
  return { ...facts, condition_flags: JSON.parse(condition_flags), line: JSON.parse(doc) }
}
