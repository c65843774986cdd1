import type { IntakeEvent } from '../../../contract/resources/item.ts'
import { certKey, isSameCertificate, linkedCertificate } from '../../../domain/graders/certificate.ts'
import { gradeOn, graders, readGrader } from '../../../domain/graders/graders.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import { canonicalQid } from '../../../domain/items/qid.ts'
import { isOpen } from '../../../domain/manifests/manifest.ts'
import { conflict, Rejection } from '../../../domain/rejection.ts'
import { isId } from '../../../domain/uuid.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import type { WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { heldSlabs } from '../../../engine/intake/held-slabs.ts'
import { intakeArrivals, lineOfLast } from '../../../engine/intake/warehouse-intake.ts'
import { loadManifest } from '../../../engine/manifests/manifests.ts'
import { findItem } from '../../../store/tables/items.ts'
import { listOpenPlaces, loadLine, type StoredLine, sumLines } from '../../../store/tables/manifest-lines.ts'
import { findManifest, findOfAnyPartner, listInAnyCase } from '../../../store/tables/manifests.ts'
import { findSkusByBarcode, findSkusInAnyCase } from '../../../store/tables/products.ts'
import { type Answer, heldAs, itemsOfCode, refused, whyNot, wrong } from './scanner.ts'

type InUnitOfWork = <T>(task: (work: UnitOfWork) => Promise<T>) => Promise<T>

type Line = Pick<StoredLine['line'], 'id' | 'external_ref' | 'description' | 'grader' | 'cert_number'>
/** `expected`: units still to come when its label was scanned. */
type Open = { id: string; reference: string; expected: number }
/** Answered but not booked yet: it can be undone until the next code. */
type Held = { arrival: WarehouseArrival; line: Line | undefined; code: string }

export type ScanDesk = {
  inUnitOfWork: InUnitOfWork
  grade: string | undefined
  /** False to receive slabs in custody, and grades that the grader does not give. */
  lint: boolean
  open?: Open | undefined
  /** The last label was rejected: its box does not belong to any manifest scanned before. */
  isAstray?: boolean
  held?: Held | undefined
  ungraded?: { code: string; grader: string; graded: (grade: string) => Held } | undefined
  /** Scans whose outcome differs from their answer; emptied when reported. */
  missed: string[]
  answering?: string | undefined
  /** `scanned` counts the lines' units of the current manifest; `booked` and `wrong` count them all. */
  scanned: number
  booked: number
  wrong: number
}

/** Each scan is booked when the next one comes, so that `undo` can take back the last. */
export async function answer(desk: ScanDesk, code: string): Promise<Answer> {
  desk.answering = code
  const { word, about, isWrong } = await answerTo(desk, code).catch(refused)
  const missed = reportMissed(desk)
  desk.answering = undefined
  if (isWrong) desk.wrong++
  return {
    word,
    about: [about, ...missed].join('; '),
    ...((isWrong || missed.length > 0) && { isWrong: true }),
  }
}

export function reportMissed(desk: ScanDesk): string[] {
  const missed = desk.missed.splice(0)
  desk.wrong += missed.length
  return missed
}

/** The scan stays held if the database cannot be written. A rejection is reported with the next answer. */
export async function book(desk: ScanDesk): Promise<void> {
  const { held, open, inUnitOfWork } = desk
  if (held === undefined) return
  try {
    const [intake] = await inUnitOfWork(async (work) => {
      const [other] = desk.lint ? await heldSlabs(work, [held.arrival]) : []
      if (other) throw conflict(`it is already in custody${heldAs(other)}`)
      return intakeArrivals(work, [held.arrival], { manifestId: open?.id ?? null })
    })
    desk.booked++
    const { manifest_line_id: line }: IntakeEvent = JSON.parse(intake as string)
    if (held.line && line === null)
      desk.missed.push(
        `${held.code} was received without its line: the manifest was closed or complete by then`,
      )
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    desk.missed.push(`${held.code} was not received: ${error.message}`)
  }
  desk.held = undefined
}

export function dropUngraded(desk: ScanDesk): void {
  const { ungraded } = desk
  desk.ungraded = undefined
  if (ungraded) desk.missed.push(`${ungraded.code} was not received: its grade is missing`)
}

async function answerTo(desk: ScanDesk, code: string): Promise<Answer> {
  if (code.toLowerCase() === 'undo') return undo(desk)
  const asked = desk.ungraded
  const named = asked && gradeNamed(withoutGrader(code, asked.grader))
  if (asked && named) {
    const fault = gradeFault(desk, asked.grader, code)
    if (fault) return fault
    desk.ungraded = undefined
    return hold(desk, asked.graded(named.grade))
  }
  const { cert } = slabCode(code)
  if (asked && certKey(cert) === certKey(asked.code)) desk.ungraded = undefined
  const found = await desk.inUnitOfWork((work) => lookUp(work, code, desk.open))
  dropUngraded(desk)
  if (found.manifests !== undefined) return begin(desk, found.manifests)
  if (found.item !== undefined) return { word: 'known', about: found.item }
  if (found.isClosed && desk.open) return begin(desk, [desk.open.id])
  if (desk.isAstray) throw conflict(`${code}: scan the label of an open manifest first.`)
  const asSlab = await slab(desk, code)
  if (asSlab !== undefined) return asSlab
  if (found.skus.length > 0) return product(desk, code, found.skus)
  if (gradeNamed(code)) return wrong('unknown', `${code}: no slab waits for a grade`)
  const reason = await desk.inUnitOfWork(({ tx, scope }) => whyNot(tx, scope, cert))
  if (reason.word !== 'unknown') return reason
  const skus = (await desk.inUnitOfWork(({ tx }) => findSkusByBarcode(tx, [code])))(code)
  return skus.length > 0 ? product(desk, code, skus) : reason
}

function undo(desk: ScanDesk): Answer {
  const { held, ungraded } = desk
  desk.ungraded = undefined
  if (ungraded) return { word: 'undone', about: `${tally(desk)}  ${ungraded.code}` }
  if (held === undefined) return wrong('nothing', 'to undo: only the last scan can be undone')
  desk.held = undefined
  if (held.line) desk.scanned--
  return { word: 'undone', about: `${tally(desk)}  ${held.code}` }
}

async function hold(desk: ScanDesk, next: Held): Promise<Answer> {
  await book(desk)
  desk.held = next
  const { line } = next
  if (line) desk.scanned++
  const about = line
    ? `${line.external_ref ?? ''} ${line.description}`.trim()
    : `no line of ${desk.open ? 'the' : 'any'} manifest still expects it`
  return { word: line ? 'ok' : 'unexpected', about: `${tally(desk)}  ${about}` }
}

/** Throws a `Rejection` unless the label names one open manifest. After an error, no manifest is current. */
export async function begin(desk: ScanDesk, [id = '', ...others]: readonly string[]): Promise<Answer> {
  await book(desk)
  desk.open = undefined
  desk.isAstray = true
  desk.scanned = 0
  if (others.length > 0)
    throw conflict('Several manifests have this reference: scan the QR code of the label.')
  const open = await desk.inUnitOfWork((work) => openManifest(work, id))
  desk.open = open
  desk.isAstray = false
  return { word: 'manifest', about: `${open.reference}, ${open.expected} units to come` }
}

async function slab(desk: ScanDesk, code: string): Promise<Answer | undefined> {
  const { open } = desk
  if (open === undefined) return undefined
  const { cert, grade: scanned } = slabCode(code)
  const key = certKey(cert)
  const line = await awaited(desk, open, key, (found) => isSameCertificate(found, { cert_number: cert }))
  if (line === undefined) {
    if (desk.held && isSameCertificate(desk.held.arrival, { cert_number: cert }))
      return wrong('twice', `${cert} was already received`)
    const [first, text] = inTwo(cert)
    const meant = text !== '' && (await awaited(desk, open, certKey(first)))
    if (meant) {
      const grade = withoutGrader(text, meant.grader ?? '')
      return gradeNamed(grade) ? slab(desk, `${first} ${grade}`) : notAGrade(text, 'its grader')
    }
    const other = await awaited(desk, open, key)
    const [known] = other ? await desk.inUnitOfWork(({ tx }) => itemsOfCode(tx, cert)) : []
    if (other && !(known && isHeld(known.status)))
      return wrong('elsewhere', `${cert}: its line names ${other.grader}, not this grader`)
    return undefined
  }
  const grader = line.grader ?? ''
  // A QR code contains an address with the number.
  const cert_number = linkedCertificate(cert)?.number ?? cert
  const own = { type: 'graded_slab', grader, cert_number, line_id: line.id } as const
  const before = desk.held === undefined ? [] : [desk.held.arrival]
  const known = desk.lint ? await desk.inUnitOfWork((work) => heldSlabs(work, [...before, own])) : []
  const other = known.find(({ at }) => at === before.length)
  if (other) return wrong('twice', `${cert} was already received${heldAs(other)}`)
  const graded = (grade: string): Held => {
    return { code: cert, line, arrival: { ...own, grade, condition_flags: [] } }
  }
  const given = scanned ?? desk.grade
  if (given === undefined) {
    desk.ungraded = { code: cert, grader, graded }
    return { word: 'grade?', about: `of ${grader} ${cert_number}: scan or type it` }
  }
  return gradeFault(desk, grader, given) ?? hold(desk, graded(gradeNamed(given)?.grade ?? given))
}

function slabCode(code: string): { cert: string; grade?: string } {
  const [cert, grade] = inTwo(code)
  return gradeNamed(grade) ? { cert, grade } : { cert: code }
}

/** A certificate, perhaps after its grader, and the text behind it, as in `48201934 10` or `BGS 0012345678 9.5`. */
function inTwo(code: string): [cert: string, text: string] {
  const words = code.split(/\s+/)
  const end = /\d/.test(words[0] ?? '') ? 1 : /\d{4}/.test(words[1] ?? '') ? 2 : words.length
  return [words.slice(0, end).join(' '), words.slice(end).join(' ')]
}

/** As in `A`, `9 OC` or `BGS 9.5`. Undefined if no grader gives it and it is not a number. */
function gradeNamed(text: string): { grader: string | undefined; grade: string } | undefined {
  const { grader, grade } = readGrader(text)
  const bare = (grader && grade) ?? text
  const isGrade =
    /^\d{1,3}(?:\.\d+)?$/.test(bare) || graders.some((each) => gradeOn(each, bare) !== undefined)
  return isGrade ? { grader: grader?.name, grade: bare } : undefined
}

/** For a grader that custody does not know; `gradeNamed` reads the names of the others. */
function withoutGrader(text: string, grader: string): string {
  const isNamed = text.toUpperCase().startsWith(`${grader.toUpperCase()} `)
  return isNamed ? text.slice(grader.length).trim() : text
}

function gradeFault({ lint }: ScanDesk, slabGrader: string, text: string): Answer | undefined {
  const { name, grader } = readGrader(slabGrader)
  const named = gradeNamed(text)
  const isOther = named?.grader !== undefined && named.grader !== name
  const isGiven = !lint || !grader || (named && gradeOn(grader, named.grade) !== undefined)
  return isOther || !isGiven ? notAGrade(text, name) : undefined
}

function notAGrade(text: string, grader: string): Answer {
  return wrong('grade?', `${text} is not a grade that ${grader} gives`)
}

async function product(desk: ScanDesk, code: string, skus: readonly string[]): Promise<Answer> {
  const [sku = '', ...others] = skus
  if (others.length > 0) throw conflict(`${code} may be ${skus.join(' or ')}: type the SKU.`)
  const arrival = { type: 'product' as const, sku, condition_flags: [] }
  const before = desk.held ? [desk.held.arrival] : []
  const line = await desk.inUnitOfWork((work) =>
    lineOfLast(work, [...before, arrival], desk.open?.id ?? null),
  )
  return hold(desk, { code: sku, line, arrival })
}

/** The first line with room for one more than the held scan. Uses an index: a manifest may have 50,000 lines. */
async function awaited(
  { inUnitOfWork, held }: ScanDesk,
  { id }: Open,
  key: string,
  isWanted: (line: Line) => boolean = () => true,
): Promise<Line | undefined> {
  return inUnitOfWork(async ({ tx }) => {
    const after = { manifest_id: id, line_no: 0 }
    const places = await listOpenPlaces(tx, 'cert_key', key, { after, lastManifest: id, limit: 10 })
    for (const place of places) {
      const { line, quantity, clean, flagged } = await loadLine(tx, place)
      const room = quantity - clean - flagged - (held?.line?.id === line.id ? 1 : 0)
      if (room > 0 && isWanted(line)) return line
    }
    return undefined
  })
}

function tally({ open, scanned }: ScanDesk): string {
  return open === undefined ? `${scanned}` : `${scanned}/${open.expected}`
}

async function openManifest(work: UnitOfWork, id: string): Promise<Open> {
  const found = await findManifest(work.tx, id)
  if (found === undefined) throw await strangeLabel(work, id)
  const { manifest } = found
  if (!isOpen(manifest.status))
    throw conflict(`${manifest.reference} is closed: receive late arrivals with custody warehouse intake.`)
  const { quantity, clean, flagged } = await sumLines(work.tx, id)
  return { id, reference: manifest.reference, expected: quantity - clean - flagged }
}

async function strangeLabel({ tx, scope }: UnitOfWork, id: string): Promise<Rejection> {
  const theirs = await findOfAnyPartner(tx, scope.environment, id)
  if (theirs) return conflict(`${theirs.reference} belongs to ${theirs.partner_name}: put its box aside.`)
  return new Rejection('not_found', `There is no manifest with the id ${id}.`)
}

/** `manifests`: those that a label names. `isClosed`: the current manifest has been closed meanwhile. */
type Found = { manifests?: readonly string[]; isClosed?: boolean; skus: readonly string[]; item?: string }

async function lookUp(work: UnitOfWork, code: string, open: Open | undefined): Promise<Found> {
  const { tx } = work
  const [id = ''] = code.split(' ')
  if (isId(id)) return { manifests: [id.toLowerCase()], skus: [] }
  const qid = canonicalQid(code)
  const record = qid === null ? undefined : await findItem(tx, qid)
  if (record) return { item: `${record.item.qid} ${record.item.status} ${record.item.name}`, skus: [] }
  const isClosed = open !== undefined && !isOpen((await loadManifest(work, open.id)).manifest.status)
  const skus = (await findSkusInAnyCase(tx, [code]))(code)
  const manifests = skus.length > 0 ? [] : await listInAnyCase(tx, code)
  return { skus, isClosed, ...(manifests.length > 0 && { manifests }) }
}
