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
import type { HeldSlab } from '../../../engine/intake/held-slabs.ts'
import { inScope, type ScopedTx, type Tx } from '../../../store/database.ts'
import { findFulfillment, findLastFulfillmentId } from '../../../store/tables/fulfillments.ts'
import { findItem, listByCert, type OwnItem } from '../../../store/tables/items.ts'
import { listOpenByCert, listOpenPlaces } from '../../../store/tables/manifest-lines.ts'
import { findManifest } from '../../../store/tables/manifests.ts'
import { listOtherScopes, type Scope } from '../../../store/tables/scopes.ts'
import { bell } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'

/** `isWrong`: a person must look at the item. */
export type Answer = { word: string; about: string; isWrong?: true }

export function wrong(word: string, about: string): Answer {
  return { word, about, isWrong: true }
}

/** Answers each code before reading the next. True if a signal ended it. */
export async function answerCodes(
  session: Session,
  answer: (code: string) => Promise<Answer>,
): Promise<boolean> {
  const stop = session.io.stopSignal()
  const lines = createInterface({ input: Readable.from(session.io.stdin.chunks()) })
  stop.addEventListener('abort', () => lines.close())
  for await (const line of lines) {
    const code = line.trim()
    if (code !== '') tell(session, await answer(code))
  }
  return stop.aborted
}

export function tell({ io }: Session, { word, about, isWrong }: Answer): void {
  const ring = isWrong && io.out.isTerminal ? bell : ''
  io.out.write(`${word}\t${about}${ring}\n`)
}

export async function itemOfCode(tx: Tx, scope: Scope, code: string): Promise<OwnItem | undefined> {
  return (await itemsOfCode(tx, scope, code))[0]
}

/** Slabs in custody first, then those that left, the newest first. */
export async function itemsOfCode(whole: Tx, scope: Scope, code: string): Promise<OwnItem[]> {
  const tx = inScope(whole, scope.id)
  const qid = canonicalQid(code)
  if (qid !== null) return [(await findItem(tx, qid))?.item ?? []].flat()
  const docs = await listByCert(tx, [certKey(code)], slabsPerCertMax)
  // The address in a QR code says which grader's number it is.
  return docs.map((doc) => JSON.parse(doc) as OwnItem).filter((item) => isCodeOf(code, item))
}

/** The item with this code, of any partner. Prefers items in custody to those that left, and `own` to other partners. */
export async function ownerOf(
  tx: Tx,
  own: Scope,
  code: string,
): Promise<{ scope: Scope; item: OwnItem } | undefined> {
  const found: Array<{ scope: Scope; item: OwnItem }> = []
  for (const scope of [own, ...(await listOtherScopes(tx, own))]) {
    const item = await itemOfCode(tx, scope, code)
    if (item) found.push({ scope, item })
    if (item && isHeld(item.status)) break
  }
  return found.find(({ item }) => isHeld(item.status)) ?? found[0]
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
export async function whyNot(tx: Tx, own: Scope, code: string): Promise<Answer> {
  const owner = await ownerOf(tx, own, code)
  const { scope, item } = owner ?? {}
  if (item && scope === own && isHeld(item.status))
    return wrong('twice', `${code} was already received: ${item.qid}, ${item.status}`)
  const reference = await expectedOn(tx, own, code)
  if (reference !== undefined)
    return wrong('elsewhere', `${code} is expected on ${reference}: scan the label of its box first`)
  for (const other of await listOtherScopes(tx, own))
    if (other.id === scope?.id || (await expectedOn(tx, other, code)) !== undefined)
      return wrong('elsewhere', `${code} belongs to ${other.partner_name}: put it aside`)
  if (item) return wrong('left', `${code} ${await exitOf(inScope(tx, own.id), item)}; put it aside`)
  return wrong('unknown', `${code}: no manifest expects it; put it aside`)
}

async function exitOf(tx: ScopedTx, { qid, status }: OwnItem): Promise<string> {
  if (status === 'released') return `left by a transfer: ${qid}, ${status}`
  const orderId = await findLastFulfillmentId(tx, qid)
  const order = orderId === undefined ? undefined : await findFulfillment(tx, orderId)
  return `left with ${order?.fulfillment.external_ref ?? orderId}: ${qid}, ${status}`
}

async function expectedOn(whole: Tx, { id }: Scope, code: string): Promise<string | undefined> {
  const tx = inScope(whole, id)
  const byCert = await listOpenByCert(tx, [certKey(code)], slabsPerCertMax)
  const found = byCert.find(({ line }) => isSameCertificate(line, { cert_number: code }))
  if (found) return found.manifest.reference
  const [place] = await listOpenPlaces(tx, 'sku', code, { limit: 1 })
  return place && (await findManifest(tx, place.manifest_id))?.manifest.reference
}
