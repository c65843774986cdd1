import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { slabsPerCertMax } from '../../../contract/limits.ts'
import {
  certKey,
  graderOf,
  isSameCertificate,
  linkedCertificate,
} from '../../../domain/graders/certificate.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import { canonicalQid } from '../../../domain/items/qid.ts'
import { Rejection } from '../../../domain/rejection.ts'
import type { HeldSlab } from '../../../engine/intake/held-slabs.ts'
import type { ScopedTx } from '../../../store/database.ts'
import { findFulfillment, findLastFulfillmentId } from '../../../store/tables/fulfillments.ts'
import {
  findItem,
  listByCert,
  listOfPartners,
  type OwnItem,
  type PartnersItem,
} from '../../../store/tables/items.ts'
import { type LineKey, listOpenOf } from '../../../store/tables/manifest-lines.ts'
import type { Scope } from '../../../store/tables/scopes.ts'
import { CliError } from '../../base/cli-error.ts'
import { BrokenPipe } from '../../base/io.ts'
import { bell } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'

/** `isWrong`: a person must look at the item. */
export type Answer = { word: string; about: string; isWrong?: true }

export function wrong(word: string, about: string): Answer {
  return { word, about, isWrong: true }
}

/** Not thrown, because the next box is already in the scanner's hand. */
export function refused(error: unknown): Answer {
  if (!(error instanceof Rejection)) throw error
  return wrong('refused', error.message)
}

/** Answers each code before reading the next. True if a signal ended it. */
export async function answerCodes(
  session: Session,
  answer: (code: string) => Promise<Answer>,
): Promise<boolean> {
  const stop = session.io.stopSignal()
  const lines = createInterface({ input: Readable.from(session.io.stdin.chunks()), signal: stop })
  for await (const line of lines) {
    // The rest of a paste is not answered.
    if (stop.aborted) break
    const code = codeIn(line)
    if (code !== '') tell(session, await answer(code), code)
  }
  return stop.aborted
}

/** A GS1 code: a scanner marks it, or it is printed as `(01)00820650853227(10)A7`. */
const gtin = /^(?:(?:\p{Cc}|\](?:C1|e0|d2|Q3))+01|\(01\))(\d{14})/u

/** Without control characters, and without the symbology identifier that some scanners send first, as in `]C148201934`. */
function codeIn(line: string): string {
  const text = line.replace(/\p{Cc}+/gu, ' ').trim()
  return gtin.exec(line)?.[1] ?? text.replace(/^\][A-Za-z]\w/, '').trim()
}

export function tell({ io }: Session, { word, about, isWrong }: Answer, code?: string): void {
  const ring = isWrong && io.out.isTerminal ? bell : ''
  try {
    io.out.write(`${word}\t${about}${ring}\n`)
  } catch (error) {
    if (!(error instanceof BrokenPipe)) throw error
    throw new CliError('unreachable', 'The program that reads the answers has exited.', {
      hint: code && `The last code read is ${code}.`,
    })
  }
}

/** Slabs in custody first, then those that left, the newest first. */
export async function itemsOfCode(tx: ScopedTx, code: string): Promise<OwnItem[]> {
  const qid = canonicalQid(code)
  if (qid !== null) return [(await findItem(tx, qid))?.item ?? []].flat()
  const docs = await listByCert(tx, [certKey(code)], slabsPerCertMax)
  // The address in a QR code says which grader's number it is.
  return docs.map((doc) => JSON.parse(doc) as OwnItem).filter((item) => isCodeOf(code, item))
}

export function keyOf(code: string): string {
  return canonicalQid(code) ?? certKey(code)
}

/** The item of each code, of any partner. Prefers items in custody to those that left, and own ones to others. */
export async function ownersOf(
  tx: ScopedTx,
  { environment }: Scope,
  codes: readonly string[],
): Promise<Array<PartnersItem | undefined>> {
  const keys = Map.groupBy(new Set(codes.map(keyOf)), (key) => (canonicalQid(key) ? 'qid' : 'cert_key'))
  const qids = await listOfPartners(tx, environment, 'qid', keys.get('qid') ?? [])
  const slabs = await listOfPartners(tx, environment, 'cert_key', keys.get('cert_key') ?? [])
  const byQid = new Map(qids.map((found) => [found.item.qid, found]))
  const byCert = Map.groupBy(slabs, ({ item }) => certKey(item.cert_number ?? ''))
  return codes.map((code) => {
    const key = keyOf(code)
    return byQid.get(key) ?? byCert.get(key)?.find(({ item }) => isCodeOf(code, item))
  })
}

export function heldAs(slab: HeldSlab): string {
  if ('before' in slab) return ''
  const { item, partner } = slab
  return `: ${item.qid}, ${item.status}${partner === undefined ? '' : `, for ${partner}`}`
}

export function isCodeOf(code: string, slab: Pick<OwnItem, 'cert_number' | 'grader'>): boolean {
  if (certKey(code) === '' || certKey(code) !== certKey(slab.cert_number ?? '')) return false
  const linked = linkedCertificate(code)
  return !linked || linked.graders.some(({ name }) => name === graderOf(slab))
}

/** Says who has the item of an unexpected code, who expects it, or that it left. */
export async function whyNot(tx: ScopedTx, scope: Scope, code: string): Promise<Answer> {
  const [owner] = await ownersOf(tx, scope, [code])
  const { item } = owner ?? {}
  const theirs = owner?.scope_id === tx.scope ? undefined : owner?.partner_name
  const held = item && isHeld(item.status) ? item : undefined
  if (held && theirs === undefined)
    return wrong('twice', `${code} was already received: ${held.qid}, ${held.status}`)
  const own = await expectedBy(tx, scope, 'own', code)
  if (own)
    return wrong('elsewhere', `${code} is expected on ${own.reference}: scan the label of its box first`)
  const expecting = held ? undefined : await expectedBy(tx, scope, 'others', code)
  const other = expecting?.partner_name ?? theirs
  if (other !== undefined) return wrong('elsewhere', `${code} belongs to ${other}: put it aside`)
  if (item) return wrong('left', `${code} ${await exitOf(tx, item)}; put it aside`)
  return unknown(code, canonicalQid(code) === null ? 'no manifest expects it' : 'no item has this QID')
}

export function unknown(code: string, why: string): Answer {
  return wrong('unknown', `${code}: ${why}; ${nextStep(code)}`)
}

function nextStep(code: string): string {
  if (/\d{15}|https?:.*https?:/i.test(code)) return 'it is too long for one code: scan one code at a time'
  if (/[^ -~]/.test(code)) return 'check that the scanner has the keyboard language of this computer'
  return 'put it aside'
}

async function exitOf(tx: ScopedTx, { qid, status }: OwnItem): Promise<string> {
  if (status === 'released') return `left by a transfer: ${qid}, ${status}`
  const orderId = await findLastFulfillmentId(tx, qid)
  const order = orderId === undefined ? undefined : await findFulfillment(tx, orderId)
  return `left with ${order?.fulfillment.external_ref ?? orderId}: ${qid}, ${status}`
}

async function expectedBy(tx: ScopedTx, { environment }: Scope, whose: 'own' | 'others', code: string) {
  const open = (by: LineKey, key: string, limit: number) =>
    listOpenOf(tx, { environment, whose, by, key, limit })
  const slabs = await open('cert_key', certKey(code), slabsPerCertMax)
  return (
    slabs.find(({ line }) => isSameCertificate(line, { cert_number: code })) ??
    (await open('sku', code, 1))[0]
  )
}
