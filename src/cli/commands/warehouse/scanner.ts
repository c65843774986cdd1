import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { certKey, graderOf, linkedCertificate } from '../../../domain/graders/certificate.ts'
import { canonicalQid } from '../../../domain/items/qid.ts'
import type { Tx } from '../../../store/database.ts'
import { findHeldByCert, findItem, type OwnItem } from '../../../store/tables/items.ts'
import { listOpenPlaces } from '../../../store/tables/manifest-lines.ts'
import { findManifest } from '../../../store/tables/manifests.ts'
import { listScopes, type Scope } from '../../../store/tables/scopes.ts'
import { bell } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'

/** `isWrong`: a person must look at the item. */
export type Answer = { word: string; about: string; isWrong?: true }

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
  const qid = canonicalQid(code)
  if (qid !== null) return (await findItem(tx, scope.id, qid))?.item
  const held = await findHeldByCert(tx, scope.id, [certKey(code)])
  // The address in a QR code says which grader's number it is.
  return held.find(({ item }) => isCodeOf(code, item))?.item
}

export function isCodeOf(code: string, slab: Pick<OwnItem, 'cert_number' | 'grader'>): boolean {
  if (certKey(code) === '' || certKey(code) !== certKey(slab.cert_number ?? '')) return false
  const linked = linkedCertificate(code)
  return !linked || linked.graders.some(({ name }) => name === graderOf(slab))
}

/** Says who has the item of an unexpected code, or who expects it. */
export async function whyNot(tx: Tx, own: Scope, code: string): Promise<Answer> {
  const item = await itemOfCode(tx, own, code)
  if (item)
    return {
      word: 'twice',
      about: `${code} was already received: ${item.qid}, ${item.status}`,
      isWrong: true,
    }
  const reference = await expectedOn(tx, own, code)
  if (reference !== undefined)
    return {
      word: 'elsewhere',
      about: `${code} is expected on ${reference}: scan the label of its box first`,
      isWrong: true,
    }
  for (const scope of await listScopes(tx)) {
    if (scope.id === own.id || scope.environment !== own.environment) continue
    const isTheirs = (await itemOfCode(tx, scope, code)) ?? (await expectedOn(tx, scope, code))
    if (isTheirs)
      return {
        word: 'elsewhere',
        about: `${code} belongs to ${scope.partner_name}: put it aside`,
        isWrong: true,
      }
  }
  return { word: 'unknown', about: `${code}: no manifest expects it; put it aside`, isWrong: true }
}

async function expectedOn(tx: Tx, { id }: Scope, code: string): Promise<string | undefined> {
  const byCert = await listOpenPlaces(tx, id, 'cert_key', certKey(code), { limit: 1 })
  const [place] = byCert.length > 0 ? byCert : await listOpenPlaces(tx, id, 'sku', code, { limit: 1 })
  return place && (await findManifest(tx, id, place.manifest_id))?.manifest.reference
}
