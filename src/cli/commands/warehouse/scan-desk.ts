import { canonicalQid } from '../../../domain/items/qid.ts'
import { certKey } from '../../../domain/manifests/normalise.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { isUuid } from '../../../domain/uuid.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import type { WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { intakeArrivals } from '../../../engine/intake/warehouse-intake.ts'
import { listManifests, loadManifest } from '../../../engine/manifests/manifests.ts'
import { findDoc } from '../../../store/tables/documents.ts'
import { findItem } from '../../../store/tables/items.ts'
import {
  hasLineOfCert,
  type LineKey,
  listOpenPlaces,
  loadLine,
  type StoredLine,
  sumLines,
} from '../../../store/tables/manifest-lines.ts'

const isGrade = /^\d{1,2}(?:\.5)?$/

/** Runs one piece of work in one transaction. */
type InWork = <T>(task: (work: UnitOfWork) => Promise<T>) => Promise<T>

/** The word of an answer, and its details. All words but `ok`, `undone`, `manifest` and `grade?` report a problem. */
export type Answer = { word: string; about: string; isWrong?: true }

type Line = Pick<StoredLine['line'], 'id' | 'external_ref' | 'description' | 'grader'>
/** `expected`: units to come as its label was scanned. */
type Open = {
  id: string
  reference: string
  expected: number
}
/** A scan that was answered but not booked yet: it can be undone until the next code. */
type Held = { arrival: WarehouseArrival; line: Line | undefined; code: string }

/** The state while boxes are scanned in. `grade`: for slabs whose scan does not contain it. */
export type ScanDesk = {
  inWork: InWork
  grade: string | undefined
  open?: Open
  held?: Held | undefined
  /** Set while the grade of a slab is asked for. */
  ungraded?: ((grade: string) => Held) | undefined
  /** Of the manifest at hand, and of all. */
  scanned: number
  booked: number
  wrong: number
}

/**
 * Answers a code against the manifest whose label was scanned last. Each scan is booked when the next one comes, so that `undo`
 * takes back the last.
 */
export async function answer(desk: ScanDesk, code: string): Promise<Answer> {
  const answered = await answerTo(desk, code)
  if (answered.isWrong) desk.wrong++
  return answered
}

/** Books the held scan. A refusal is answered as text: that box is out of the scanner's hand already. */
export async function book(desk: ScanDesk): Promise<string | undefined> {
  const { held, open, inWork } = desk
  if (held === undefined) return undefined
  desk.held = undefined
  try {
    await inWork((work) => intakeArrivals(work, [held.arrival], { manifestId: open?.id ?? null }))
    desk.booked++
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    desk.wrong++
    return `${held.code} was not taken in: ${error.message}`
  }
}

async function answerTo(desk: ScanDesk, code: string): Promise<Answer> {
  const asked = desk.ungraded
  desk.ungraded = undefined
  if (code.toLowerCase() === 'undo') return undo(desk)
  if (asked && isGrade.test(code)) return hold(desk, asked(code))
  const found = await desk.inWork((work) => lookUp(work, code))
  if (found.manifest !== undefined) return begin(desk, found.manifest)
  const asSlab = await slab(desk, code)
  if (asSlab !== undefined) return asSlab
  if (found.isProduct) return product(desk, code)
  if (found.item !== undefined) return { word: 'known', about: found.item }
  return { word: 'unknown', about: `${code}: put it aside`, isWrong: true }
}

function undo(desk: ScanDesk): Answer {
  const { held } = desk
  if (held === undefined)
    return { word: 'nothing', about: 'to undo: only the last scan can be', isWrong: true }
  desk.held = undefined
  desk.scanned--
  return { word: 'undone', about: `${tally(desk)}  ${held.code}` }
}

async function hold(desk: ScanDesk, next: Held): Promise<Answer> {
  const refused = await book(desk)
  desk.held = next
  desk.scanned++
  const { line } = next
  const about = line ? `${line.external_ref ?? ''} ${line.description}`.trim() : 'on no line of the manifest'
  const told = refused === undefined ? about : `${about}; ${refused}`
  return { word: line ? 'ok' : 'unexpected', about: `${tally(desk)}  ${told}` }
}

async function begin(desk: ScanDesk, id: string): Promise<Answer> {
  const refused = await book(desk)
  const open = await desk.inWork((work) => openManifest(work, id))
  desk.open = open
  desk.scanned = 0
  const told = refused === undefined ? '' : `; ${refused}`
  return { word: 'manifest', about: `${open.reference}, ${open.expected} units to come${told}` }
}

async function slab(desk: ScanDesk, code: string): Promise<Answer | undefined> {
  const [cert = '', said, ...more] = code.split(' ')
  const { open } = desk
  if (open === undefined || more.length > 0 || (said !== undefined && !isGrade.test(said))) return undefined
  const key = certKey(cert)
  const line = await awaited(desk, open, 'cert_key', key)
  if (line === undefined) {
    const isThere = await desk.inWork(({ tx, scope }) => hasLineOfCert(tx, scope.id, open.id, key))
    return isThere ? { word: 'twice', about: `${cert} is here already`, isWrong: true } : undefined
  }
  const grader = line.grader ?? ''
  const own = { type: 'graded_slab', grader, cert_number: cert, line_id: line.id } as const
  const graded = (grade: string): Held => ({
    code: cert,
    line,
    arrival: { ...own, grade, condition_flags: [] },
  })
  const known = said ?? desk.grade
  if (known !== undefined) return hold(desk, graded(known))
  desk.ungraded = graded
  return { word: 'grade?', about: `of ${grader} ${cert}: scan or type it` }
}

async function product(desk: ScanDesk, sku: string): Promise<Answer> {
  const line = desk.open && (await awaited(desk, desk.open, 'sku', sku))
  const arrival = { type: 'product' as const, sku, condition_flags: [], ...(line && { line_id: line.id }) }
  return hold(desk, { code: sku, line, arrival })
}

/** The first line of the manifest at hand with room for one more than what is held. Asked for by an index: a manifest may have 50,000. */
async function awaited(
  { inWork, held }: ScanDesk,
  { id }: Open,
  by: LineKey,
  key: string,
): Promise<Line | undefined> {
  return inWork(async ({ tx, scope }) => {
    const after = { manifest_id: id, line_no: 0 }
    const places = await listOpenPlaces(tx, scope.id, by, key, { after, lastManifest: id, limit: 2 })
    for (const place of places) {
      const { line, quantity, clean, flagged } = await loadLine(tx, scope.id, place)
      const room = quantity - clean - flagged - (held?.line?.id === line.id ? 1 : 0)
      if (room > 0) return line
    }
    return undefined
  })
}

function tally({ open, scanned }: ScanDesk): string {
  return open === undefined ? `${scanned}` : `${scanned}/${open.expected}`
}

async function openManifest(work: UnitOfWork, id: string): Promise<Open> {
  const { manifest } = await loadManifest(work, id)
  const { quantity, clean, flagged } = await sumLines(work.tx, work.scope.id, id)
  return { id, reference: manifest.reference, expected: quantity - clean - flagged }
}

type Found = { manifest?: string; isProduct: boolean; item?: string }

/** What the database has under a code. */
async function lookUp(work: UnitOfWork, code: string): Promise<Found> {
  const { tx, scope } = work
  const [id = ''] = code.split(' ')
  if (isUuid(id)) return { manifest: (await loadManifest(work, id)).manifest.id, isProduct: false }
  const qid = canonicalQid(code)
  const record = qid === null ? undefined : await findItem(tx, scope.id, qid)
  if (record)
    return { item: `${record.item.qid} ${record.item.status} ${record.item.name}`, isProduct: false }
  if ((await findDoc(tx, scope.id, 'products', code, 'sku')) !== undefined) return { isProduct: true }
  const query = { page: 1, page_size: 1, reference: code }
  const { docs } = await listManifests(work, { query })
  const [doc] = docs as string[]
  return { isProduct: false, ...(doc !== undefined && { manifest: (JSON.parse(doc) as { id: string }).id }) }
}
