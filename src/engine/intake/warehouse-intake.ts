import { type Json, json } from '../../contract/call.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { certKey, isBlank } from '../../domain/graders/certificate.ts'
import { arrivingItem, identified } from '../../domain/items/arrival.ts'
import { isOpen, statusAfterArrival } from '../../domain/manifests/manifest.ts'
import {
  type ArrivingItem,
  arrivalWords,
  derivedFlags,
  descriptionMatch,
  itemFacts,
  type LineMatch,
  matchLine,
  matchScanned,
} from '../../domain/manifests/matching.ts'
import { isBefore, phraseOf } from '../../domain/manifests/phrase.ts'
import { mostSimilar, type PhraseSource } from '../../domain/manifests/phrase-search.ts'
import { assert, existing } from '../../domain/rejection.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import type { LineKey } from '../../store/tables/manifest-lines.ts'
import { findManifest, type ManifestRecord, saveManifest } from '../../store/tables/manifests.ts'
import { listPendingManifests } from '../../store/tables/pending-manifests.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { changedItem, type ItemChange, saveItems } from '../items/items.ts'
import { loadManifest } from '../manifests/manifests.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import {
  type Catalog,
  loadCatalog,
  newQids,
  receivedItem,
  rejectFaulty,
  type WarehouseArrival,
} from './arrivals.ts'
import { recordIntakes } from './intakes.ts'
import { type OpenLine, type OpenLines, openLines } from './open-lines.ts'
import { contradictedMax, firstLine, phraseSource } from './phrase-source.ts'

type Batch = {
  catalog: Catalog
  manifestId: string | null
  /** Null if nothing may be matched. */
  lines: OpenLines | null
  match: LineMatcher
  attributed: Attributions
}

const arrivalsAtOnce = 500

/**
 * Receives arrivals in order: each gets a QID, is matched to an open line, and attributed to its manifest or the given one (3.2,
 * decisions 6); not if that is closed (decisions 11). Emits only `item.intake.completed`. Throws `invalid` with `items[i]`, or
 * `not_found` for an unknown manifest.
 */
export async function intakeArrivals(
  work: UnitOfWork,
  arrivals: readonly WarehouseArrival[],
  { manifestId, looked }: { manifestId: string | null; looked?: Looked | undefined },
): Promise<Array<Json<IntakeEvent>>> {
  const qidsOf = (from: number) => newQids(work, Math.min(arrivals.length - from, arrivalsAtOnce))
  const { qids: firstQids, ...found } = looked ?? (await lookAhead(work, arrivals, manifestId))
  const batch = await openBatch(work, arrivals, manifestId, found)
  const intakes: Array<Json<IntakeEvent>> = []
  for (let from = 0; from < arrivals.length; from += arrivalsAtOnce) {
    const entries: ItemChange[] = []
    const some = arrivals.slice(from, from + arrivalsAtOnce)
    const qids = from === 0 ? firstQids : await qidsOf(from)
    for (const [at, arrival] of some.entries()) {
      const record = await receive(work, batch, arrival, qids[at] ?? '')
      entries.push(changedItem(work, record, undefined))
      await yieldToEventLoop()
    }
    await saveItems(work, entries)
    for (const intake of await recordIntakes(work, entries)) intakes.push(intake)
    await work.flush()
  }
  assert(intakes.length === arrivals.length, 'every arrival becomes an intake', manifestId, intakes.length)
  await batch.lines?.save()
  await batch.attributed.save()
  return intakes
}

/** Results of a batch's first queries; `intakeArrivals` judges them. */
export type Looked = {
  catalog: Catalog
  manifest: ManifestRecord | undefined
  pending: ReadonlySet<string>
  qids: readonly string[]
}

export async function lookAhead(
  view: ReadContext,
  arrivals: readonly WarehouseArrival[],
  manifestId: string | null,
): Promise<Looked> {
  const { tx } = view
  const [catalog, manifest, pending, qids] = await allSettled([
    loadCatalog(view, arrivals),
    manifestId === null ? undefined : findManifest(tx, manifestId),
    manifestId === null ? listPendingManifests(tx) : [],
    newQids(view, Math.min(arrivals.length, arrivalsAtOnce)),
  ])
  return { catalog, manifest, pending: new Set(pending.map(({ id }) => id)), qids }
}

async function openBatch(
  work: UnitOfWork,
  arrivals: readonly WarehouseArrival[],
  given: string | null,
  { catalog, manifest, pending }: Omit<Looked, 'qids'>,
): Promise<Batch> {
  // Faults of arrivals outrank a missing manifest.
  rejectFaulty(arrivals, catalog)
  if (given !== null) existing(manifest)
  const isClosed = manifest !== undefined && !isOpen(manifest.manifest.status)
  const lines = isClosed ? null : openLines(work, given, pending)
  await lines?.load(new Set(arrivals.flatMap(({ line_id }) => line_id ?? [])))
  const match: LineMatcher = lines === null ? async () => null : lineMatcher(work, lines)
  const attributed = attributions(work, manifest, lines)
  return { catalog, manifestId: isClosed ? null : given, lines, match, attributed }
}

/** The line that the last of these arrivals would fill, if all were received now. */
export async function lineOfLast(
  work: UnitOfWork,
  arrivals: readonly WarehouseArrival[],
  manifestId: string | null,
): Promise<ManifestLine | undefined> {
  const batch = await openBatch(work, arrivals, manifestId, await lookAhead(work, arrivals, manifestId))
  let last: MatchedLine | null = null
  for (const [at, arrival] of arrivals.entries()) {
    last = (await matched(batch, arrival)).match
    if (last) batch.lines?.fill(last.line, String(at), { ...last, condition_flags: [] })
  }
  return last?.line.stored.line
}

async function matched({ catalog, lines, match }: Batch, arrival: WarehouseArrival) {
  const product = arrival.sku === undefined ? undefined : catalog.get(arrival.sku)
  assert(product?.sku === arrival.sku, 'a unit has a product in the catalog', arrival.sku, product?.sku)
  const arriving = arrivingItem(arrival, product)
  const scanned = arrival.line_id === undefined ? undefined : lines?.find(arrival.line_id)
  return { product, arriving, match: await match(arriving, scanned) }
}

/** The batch saves the line and the manifest. */
async function receive(
  work: UnitOfWork,
  batch: Batch,
  arrival: WarehouseArrival,
  qid: string,
): Promise<ItemRecord> {
  const { lines, attributed } = batch
  const { product, arriving, match } = await matched(batch, arrival)
  const stored = match?.line.stored
  const isOfManifest = !stored || batch.manifestId === null || stored.manifest_id === batch.manifestId
  assert(isOfManifest, 'an arrival goes to the given manifest', batch.manifestId, stored?.manifest_id)
  const identity = identified(arriving, stored?.line)
  const flags = [...arrival.condition_flags, ...(match ? derivedFlags(arriving, match.line) : [])]
  const condition_flags = [...new Set(flags)]
  if (match) lines?.fill(match.line, qid, { condition_flags, key: match.key, score: match.score })
  const manifest_id = batch.manifestId ?? stored?.manifest_id ?? null
  if (manifest_id !== null) await attributed.add(manifest_id, match !== null)
  const item = receivedItem(work, qid, identity, arrival, product, stored)
  return { item, item_no: work.nextItemNo(), manifest_id, transfer_id: null, condition_flags }
}

/** Like `Promise.all`, but waits for all, since no query may follow a rollback, and throws the first failure by position. */
async function allSettled<const T extends readonly unknown[]>(asked: T) {
  await Promise.allSettled(asked)
  return Promise.all(asked)
}

/** The manifests of one batch of arrivals: each is loaded once and saved once at the end. */
type Attributions = {
  /** `isExpected`: it matches a line. The first item makes the manifest `receiving` (decisions 6). */
  add(manifestId: string, isExpected: boolean): Promise<void>
  save(): Promise<void>
}

function attributions(
  work: UnitOfWork,
  loaded: ManifestRecord | undefined,
  lines: OpenLines | null,
): Attributions {
  const records = new Map<string, ManifestRecord>()
  if (loaded) records.set(loaded.manifest.id, loaded)
  const changed = new Set<string>()
  const known = async (id: string) => records.get(id) ?? lines?.manifestOf(id) ?? loadManifest(work, id)
  return {
    async add(manifestId, isExpected) {
      const before = await known(manifestId)
      const record = withArrival(work, before, isExpected)
      records.set(manifestId, record)
      if (record !== before) changed.add(manifestId)
    },
    async save() {
      for (const [id, record] of records) {
        if (changed.has(id)) await saveManifest(work.tx, record, json(record.manifest))
      }
    },
  }
}

function withArrival(work: UnitOfWork, record: ManifestRecord, isExpected: boolean): ManifestRecord {
  const { manifest } = record
  const status = statusAfterArrival(manifest.status)
  assert(isOpen(manifest.status), 'items are attributed to an open manifest', manifest.id, manifest.status)
  if (status === manifest.status && isExpected) return record
  work.count('manifests', manifest.status, -1)
  work.count('manifests', status, 1)
  return {
    ...record,
    manifest: { ...manifest, status },
    unexpected: record.unexpected + (isExpected ? 0 : 1),
  }
}

type MatchedLine = LineMatch & { line: OpenLine }

type LineMatcher = (item: ArrivingItem, preferred: OpenLine | undefined) => Promise<MatchedLine | null>

/** Matches arrivals in turn, each against what earlier ones have left open (3.2, decisions 6). */
function lineMatcher(view: ReadContext, lines: OpenLines): LineMatcher {
  const phrases = phraseSource(view, lines)
  return async (item, preferred) => {
    const scanned = preferred && matchScanned(item, preferred)
    if (preferred && scanned) return { ...scanned, line: preferred }
    const byCert = await byKey(lines, item, 'cert_key', certKey(item.cert_number ?? ''))
    if (byCert) return byCert
    return (
      (await byKey(lines, item, 'sku', isBlank(item.sku) ? '' : item.sku)) ??
      byDescription(lines, phrases, item)
    )
  }
}

async function byKey(
  lines: OpenLines,
  item: ArrivingItem,
  by: LineKey,
  key: string,
): Promise<MatchedLine | null> {
  if (key === '') return null
  let contradicted = 0
  for await (const line of lines.withKey(by, key)) {
    const match = matchLine(item, line)
    if (match?.key === (by === 'sku' ? 'sku' : 'cert_number')) return { ...match, line }
    contradicted += 1
    if (contradicted === contradictedMax) return null
    await yieldToEventLoop()
  }
  return null
}

/** Equal words match best, so other lines are searched only if no line has the same words. */
async function byDescription(
  lines: OpenLines,
  phrases: PhraseSource,
  item: ArrivingItem,
): Promise<MatchedLine | null> {
  const readings = arrivalWords(item)
  const facts = itemFacts(item)
  let same: OpenLine | undefined
  for (const words of readings) {
    const line = await firstLine(lines, phraseOf(words).key, facts)
    if (line && (same === undefined || isBefore(line.stored, same.stored))) same = line
  }
  if (same) return { ...descriptionMatch(1), line: same }
  const found = await mostSimilar(readings, phrases, facts)
  const line = found && (await firstLine(lines, found.phrase.key, facts))
  return line ? { ...descriptionMatch(found.score), line } : null
}
