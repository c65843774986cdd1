import { json } from '../../contract/call.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { hasRoom, type LineArrival, lineStatus, recordArrival } from '../../domain/manifests/manifest.ts'
import type { CandidateLine } from '../../domain/manifests/matching.ts'
import type { LinePlace } from '../../domain/manifests/phrase.ts'
import { assert } from '../../domain/rejection.ts'
import {
  findLines,
  findOpenLine,
  type LineKey,
  listOpenPlaces,
  loadLine,
  type StoredLine,
  updateLine,
} from '../../store/tables/manifest-lines.ts'
import { type ManifestRecord, manifestOf } from '../../store/tables/manifests.ts'
import type { UnitOfWork } from '../context.ts'
import { dropPhrases } from '../manifests/line-phrases.ts'
import { inSlices, yieldToEventLoop } from '../yield-to-event-loop.ts'

/** A line for matching, with the QIDs matched since it was loaded. */
export type OpenLine = CandidateLine & { stored: StoredLine; arrived: string[] }

/** The open lines of one batch of arrivals: each is loaded once, filled in memory, and saved at the end. */
export type OpenLines = {
  /** Lines with room and this key: oldest manifest first, then in line order (decisions 6). */
  withKey(by: LineKey, key: string): AsyncGenerator<OpenLine, void>
  load(ids: ReadonlySet<string>): Promise<void>
  find(id: string): OpenLine | undefined
  /** False if the arrivals are attributed to another manifest. */
  mayHold(place: LinePlace): boolean
  /** Whether a place may be the first with room: in the right manifest, and not filled by this batch. */
  isOpenAt(place: LinePlace): boolean
  /** A manifest that was loaded with a line, as it was then. */
  manifestOf(id: string): ManifestRecord | undefined
  fill(line: OpenLine, qid: string, arrival: LineArrival): void
  save(): Promise<void>
}

/** Places of a key in matching order, loaded in pages up to `end`; lines before `from` are full. */
type Queue = {
  by: LineKey
  key: string
  places: LinePlace[]
  from: number
  end: LinePlace | undefined
  isWhole: boolean
}

/** Most keys have one line, a product may have thousands: the first page has one line, later ones as many as all earlier ones. */
const smallestPage = 4
const linesAtOnce = 100
const largestPage = 500
const afterEveryLine = Number.MAX_SAFE_INTEGER

/** With `manifestId`, only its lines: the warehouse has attributed the arrivals (decisions 6). `pending`: those being sent or closed. */
export function openLines(
  work: UnitOfWork,
  manifestId: string | null,
  pending: ReadonlySet<string>,
): OpenLines {
  const known = new Map<string, OpenLine>()
  const queues = new Map<string, Queue>()
  const filled = new Set<OpenLine>()
  const byId = new Map<string, OpenLine>()
  const manifests: Among['manifests'] = new Map()
  const keep = (stored: StoredLine): OpenLine => {
    const line = known.get(nameOf(stored)) ?? openLine(stored)
    known.set(nameOf(stored), line)
    return line
  }
  const lineAt = async (place: LinePlace): Promise<OpenLine> =>
    known.get(nameOf(place)) ?? keep(await loadLine(work.tx, place))
  return {
    async *withKey(by, key) {
      const name = `${by} ${key}`
      const queue = queues.get(name) ?? { by, key, places: [], from: 0, end: undefined, isWhole: false }
      queues.set(name, queue)
      for (let at = queue.from; ; at++) {
        while (at >= queue.places.length && !queue.isWhole)
          await loadPage(work, { manifestId, pending, keep, manifests }, queue)
        const place = queue.places[at]
        if (place === undefined) return
        const line = await lineAt(place)
        if (hasRoom(line.stored)) yield line
        else if (at === queue.from) queue.from += 1
      }
    },
    load: (ids) => eachLine(work, manifestId, ids, (stored) => void byId.set(stored.line.id, keep(stored))),
    find(id) {
      const line = byId.get(id)
      return line && hasRoom(line.stored) ? line : undefined
    },
    mayHold: (place) => manifestId === null || place.manifest_id <= manifestId,
    isOpenAt(place) {
      if (manifestId === null ? pending.has(place.manifest_id) : place.manifest_id !== manifestId)
        return false
      const line = known.get(nameOf(place))
      return line === undefined || hasRoom(line.stored)
    },
    manifestOf: (id) => manifests.get(id)?.(),
    fill(line, qid, arrival) {
      fillLine(line, qid, arrival)
      filled.add(line)
    },
    async save() {
      for (const line of filled) await saveFilled(work, line)
      await dropPhrases(
        work,
        [...filled].map((line) => line.stored).filter((stored) => !hasRoom(stored)),
      )
    },
  }
}

function fillLine(line: OpenLine, qid: string, arrival: LineArrival): void {
  const { id } = line.stored.line
  assert(hasRoom(line.stored), 'an item goes to a line with room', id, qid)
  line.stored = recordArrival(line.stored, arrival)
  assert(line.arrived.at(-1) !== qid, 'an item arrives once', id, qid)
  line.arrived.push(qid)
}

async function eachLine(
  { tx }: UnitOfWork,
  manifestId: string | null,
  ids: ReadonlySet<string>,
  take: (stored: StoredLine) => void,
): Promise<void> {
  if (manifestId === null) return
  await inSlices([...ids], linesAtOnce, async (some) => {
    for (const stored of await findLines(tx, manifestId, some)) take(stored)
  })
}

function nameOf({ manifest_id, line_no }: LinePlace): string {
  return `${manifest_id} ${line_no}`
}

function openLine(stored: StoredLine): OpenLine {
  const { description, grader, cert_number, sku } = stored.line
  return { description, grader, cert_number, sku, stored, arrived: [] }
}

/** `pending`: manifests whose lines must not be matched. `keep`: stores a line loaded with its place; `manifests`: theirs. */
type Among = {
  manifestId: string | null
  pending: ReadonlySet<string>
  keep: (stored: StoredLine) => void
  manifests: Map<string, () => ManifestRecord>
}

/** Skips a manifest in `pending` as a whole: it may have 50,000 lines. */
async function loadPage(
  work: UnitOfWork,
  { manifestId, pending, keep, manifests }: Among,
  queue: Queue,
): Promise<void> {
  const after = queue.end ?? { manifest_id: manifestId ?? '', line_no: 0 }
  const lastManifest = manifestId ?? undefined
  const isFirst = queue.end === undefined
  const limit = isFirst ? 1 : Math.min(Math.max(queue.places.length, smallestPage), largestPage)
  let page: readonly LinePlace[]
  if (isFirst) {
    // Usually the first line matches, so load it whole.
    const first = await findOpenLine(work.tx, queue.by, queue.key, { after, lastManifest })
    if (first) keep(first.stored)
    const row = first?.manifest
    if (first && row) manifests.set(first.stored.manifest_id, () => manifestOf(row))
    page = first ? [first.stored] : []
  } else page = await listOpenPlaces(work.tx, queue.by, queue.key, { after, lastManifest, limit })
  for (const place of page) if (!pending.has(place.manifest_id)) queue.places.push(place)
  const last = page.at(-1)
  queue.end = last && pending.has(last.manifest_id) ? { ...last, line_no: afterEveryLine } : last
  queue.isWhole = page.length < limit
  await yieldToEventLoop()
}

async function saveFilled(work: UnitOfWork, { stored, arrived }: OpenLine): Promise<void> {
  const line: ManifestLine = {
    ...stored.line,
    status: lineStatus(stored, 'receiving'),
    matched_qids: [...stored.line.matched_qids, ...arrived],
  }
  await updateLine(work.tx, { ...stored, line }, hasRoom(stored), json(line))
  await yieldToEventLoop()
}
