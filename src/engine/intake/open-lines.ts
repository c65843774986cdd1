import { json } from '../../contract/call.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { assert } from '../../domain/invariant.ts'
import { hasRoom, type LineArrival, lineStatus, recordArrival } from '../../domain/manifests/manifest.ts'
import type { CandidateLine } from '../../domain/manifests/matching.ts'
import type { LinePlace } from '../../domain/manifests/phrase.ts'
import {
  findLinePlace,
  type LineKey,
  listOpenPlaces,
  loadLine,
  type StoredLine,
  updateLine,
} from '../../store/tables/manifest-lines.ts'
import { listShutManifests } from '../../store/tables/shut-manifests.ts'
import type { UnitOfWork } from '../context.ts'
import { dropPhrases } from '../manifests/line-phrases.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** A line as matching sees it, with what has been matched to it since it was loaded. */
export type OpenLine = CandidateLine & { stored: StoredLine; arrived: string[] }

/** The open lines of one batch of arrivals: each is loaded once, filled in memory, and saved once at the end. */
export type OpenLines = {
  /** Lines with room that have a key, oldest manifest first, then in line order (decisions 6). */
  withKey(by: LineKey, key: string): AsyncGenerator<OpenLine, void>
  /** A line with room by its id; undefined where there is none in the manifest that the arrivals are attributed to. */
  find(id: string): Promise<OpenLine | undefined>
  /** Whether the line at a place may be matched at all: not if the arrivals are attributed to another manifest. */
  mayHold(place: LinePlace): boolean
  /** Whether the line at a place may be the first with room: not yet filled by this batch, and of the right manifest. */
  isOpenAt(place: LinePlace): boolean
  /** Matches one unit to a line with room. */
  fill(line: OpenLine, qid: string, arrival: LineArrival): void
  /** Writes every line that was filled. */
  save(): Promise<void>
}

/** Places of one key in the order of matching, loaded page by page up to `end`; the lines before `from` are full. */
type Queue = {
  by: LineKey
  key: string
  places: LinePlace[]
  from: number
  end: LinePlace | undefined
  isWhole: boolean
}

/** Most keys have one line, and a product's may have thousands: each page is as large as all before it. */
const smallestPage = 4
const largestPage = 500
const afterEveryLine = Number.MAX_SAFE_INTEGER

/** Only the lines of `manifestId` where the warehouse has attributed the arrivals to it (decisions 6). */
export async function loadOpenLines(work: UnitOfWork, manifestId: string | null): Promise<OpenLines> {
  const listed = manifestId === null ? await listShutManifests(work.tx, work.scope.id) : []
  const shut = new Set(listed.map(({ id }) => id))
  const known = new Map<string, OpenLine>()
  const queues = new Map<string, Queue>()
  const filled = new Set<OpenLine>()
  const lineAt = async (place: LinePlace): Promise<OpenLine> => {
    const name = nameOf(place)
    const line = known.get(name) ?? openLine(await loadLine(work.tx, work.scope.id, place))
    known.set(name, line)
    return line
  }
  return {
    async *withKey(by, key) {
      const name = `${by} ${key}`
      const queue = queues.get(name) ?? { by, key, places: [], from: 0, end: undefined, isWhole: false }
      queues.set(name, queue)
      for (let at = queue.from; ; at++) {
        while (at >= queue.places.length && !queue.isWhole) await loadPage(work, { manifestId, shut }, queue)
        const place = queue.places[at]
        if (place === undefined) return
        const line = await lineAt(place)
        if (hasRoom(line.stored)) yield line
        else if (at === queue.from) queue.from += 1
      }
    },
    async find(id) {
      const place = await findLinePlace(work.tx, work.scope.id, id)
      if (place === undefined || place.manifest_id !== manifestId) return undefined
      const line = await lineAt(place)
      return hasRoom(line.stored) ? line : undefined
    },
    mayHold: (place) => manifestId === null || place.manifest_id <= manifestId,
    isOpenAt(place) {
      if (manifestId === null ? shut.has(place.manifest_id) : place.manifest_id !== manifestId) return false
      const line = known.get(nameOf(place))
      return line === undefined || hasRoom(line.stored)
    },
    fill(line, qid, arrival) {
      const { id } = line.stored.line
      assert(hasRoom(line.stored), 'an item goes to a line with room', id, qid)
      line.stored = recordArrival(line.stored, arrival)
      assert(line.arrived.at(-1) !== qid, 'an item comes once', id, qid)
      line.arrived.push(qid)
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

function nameOf({ manifest_id, line_no }: LinePlace): string {
  return `${manifest_id} ${line_no}`
}

function openLine(stored: StoredLine): OpenLine {
  const { description, grader, cert_number, sku } = stored.line
  return { description, grader, cert_number, sku, stored, arrived: [] }
}

/** `shut`: the manifests to whose lines nothing may be matched. */
type Among = { manifestId: string | null; shut: ReadonlySet<string> }

/** Of a manifest that is shut all lines are passed over at once: there may be fifty thousand. */
async function loadPage(work: UnitOfWork, { manifestId, shut }: Among, queue: Queue): Promise<void> {
  const after = queue.end ?? { manifest_id: manifestId ?? '', line_no: 0 }
  const lastManifest = manifestId ?? undefined
  const limit = Math.min(Math.max(queue.places.length, smallestPage), largestPage)
  const page = await listOpenPlaces(work.tx, work.scope.id, queue.by, queue.key, {
    after,
    lastManifest,
    limit,
  })
  for (const place of page) if (!shut.has(place.manifest_id)) queue.places.push(place)
  const last = page.at(-1)
  queue.end = last && shut.has(last.manifest_id) ? { ...last, line_no: afterEveryLine } : last
  queue.isWhole = page.length < limit
  await yieldToEventLoop()
}

async function saveFilled(work: UnitOfWork, { stored, arrived }: OpenLine): Promise<void> {
  const line: ManifestLine = {
    ...stored.line,
    status: lineStatus(stored, 'receiving'),
    matched_qids: [...stored.line.matched_qids, ...arrived],
  }
  await updateLine(work.tx, work.scope.id, { ...stored, line }, hasRoom(stored), json(line))
  await yieldToEventLoop()
}
