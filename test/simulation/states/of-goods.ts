import type { Resource } from '../model.ts'
import type { Judged } from '../oracle.ts'
import type { Done } from '../run.ts'
import {
  conflictOf,
  count,
  goodIssue,
  namesOf,
  ofDeeds,
  ofMeetings,
  ofPartners,
  type States,
} from './seen.ts'

const isOf =
  (...ids: Done['act']['id'][]) =>
  ({ act }: Done): boolean =>
    ids.includes(act.id)
const isPick = ({ act }: Done): boolean =>
  (act.id === 'warehouse' && act.request.step === 'pick') ||
  (act.id === 'advanceFulfillment' && act.request.body.to_stage === 'picked')
const isDone = (one: Done): boolean => goodIssue(one) !== undefined
const isRejected = (one: Done): boolean => conflictOf(one) !== undefined && !isDone(one)
const isOrder = isOf('createFulfillment')
const isTransfer = isOf('requestTransfer')
const brings = (one: Done): boolean =>
  one.act.id === 'createIntakes' ||
  one.act.id === 'receiveManifest' ||
  (one.act.id === 'warehouse' && one.act.request.step === 'intake')

/** Rare states of items, orders, transfers, and manifests. */
export const statesOfGoods = {
  'two orders wanted one item at once, and one of them got it': ofMeetings(
    (one) => isOrder(one) && isDone(one),
    (other) => isOrder(other) && isRejected(other),
  ),
  'an order and a transfer wanted one item at once': ofMeetings(
    (one) => isOrder(one) && isDone(one),
    (other) => isTransfer(other) && isRejected(other),
  ),
  'a transfer and an order wanted one item at once, and the transfer got it': ofMeetings(
    (one) => isTransfer(one) && isDone(one),
    (other) => isOrder(other) && isRejected(other),
  ),
  'a product was sold out, and the next order of it rejected': ofPartners(({ done }) => {
    const bySku = done.filter(
      ({ act }) => act.id === 'createFulfillment' && act.request.body.sku !== undefined,
    )
    return count(
      bySku,
      (one, at) =>
        isRejected(one) && bySku.slice(0, at).some((other) => isDone(other) && skuOf(one) === skuOf(other)),
    )
  }),
  'a cancellation and the next step of an order met, and the cancellation came first': ofMeetings(
    (one) => isOf('cancelFulfillment')(one) && isDone(one),
    (other) => isOf('advanceFulfillment', 'warehouse')(other) && !isDone(other),
  ),
  'a pick and a cancellation met, and the pick came first': ofMeetings(
    isPick,
    (other) => isOf('cancelFulfillment')(other) && isRejected(other),
  ),
  'an item was moved on while it was ordered': ofMeetings(isOf('advanceItem'), isOrder),
  'an item was sold, came back, and was sold again': ofItems((went) => went.split(' in_transit').length > 2),
  'an item came back and was handed to another owner': ofItems((went) =>
    / in_transit.* received.* released/.test(went),
  ),
  'a withdrawn item came back': ofItems((went) => / withdrawn received/.test(went)),
  'an item was given back by a transfer, and then ordered': ofItems((went) =>
    / pending_transfer available in_fulfillment/.test(went),
  ),
  'an item was ordered three times before it went': ofItems((went) =>
    /( in_fulfillment available){2} in_fulfillment/.test(went),
  ),
  'an order had trouble twice': ofOrders((went) => / exception .*exception/.test(went)),
  'an order with trouble came back': ofOrders((went) => / exception returned/.test(went)),
  'an order had trouble before it was picked, and was shipped': ofOrders((went) =>
    / pending exception.* shipped/.test(went),
  ),
  'an order was cancelled while it was processed': ofOrders((went) => / processing cancelled/.test(went)),
  'an order came back on its way': ofOrders((went) => / shipped returned/.test(went)),
  'two deliveries of one manifest were received at once': ofMeetings(
    (one) => brings(one) && isDone(one),
    (other, one) => brings(other) && isDone(other) && manifestOf(one) === manifestOf(other),
  ),
  'two deliveries met at the last unit of a line, and one of them was not expected': ofMeetings(
    (one) => brings(one) && isDone(one),
    (other, one, history) => brings(other) && isDone(other) && metAtLast(one, other, history),
  ),
  'a manifest was closed while goods for it arrived, which were rejected': ofMeetings(
    (one) => isOf('closeManifest')(one) && isDone(one),
    (other) => brings(other) && isRejected(other),
  ),
  'a manifest was closed while goods for it arrived, which were received': ofMeetings(
    (one) => isOf('closeManifest')(one) && isDone(one),
    (other) => brings(other) && isDone(other),
  ),
  'goods arrived for a manifest that had closed by itself': ofDeeds((one, { blocks }) => {
    const id = brings(one) && isRejected(one) ? manifestOf(one) : undefined
    return id !== undefined && closedBy(blocks, id) === null
  }),
  'two operators closed one manifest at once': ofMeetings(
    (one) => isOf('closeManifest')(one) && isDone(one),
    (other) => isOf('closeManifest')(other) && isRejected(other),
  ),
  "a partner's own clock closed a manifest": ofDeeds(
    (one, { effects }) => one.act.id === 'advanceClock' && effects.has(one.trace),
  ),
  'several manifests closed by themselves in one transaction or right after another': ofPartners(
    ({ blocks }) =>
      count(blocks, (block, at, all) =>
        [block, all[at + 1]].every((one) => one !== undefined && isByItself(one)),
      ),
  ),
  'a manifest was closed with goods missing, damaged, and not expected': ofReports(
    ({ status, totals }) =>
      status === 'reconciled' && totals.missing > 0 && totals.condition_mismatch > 0 && totals.unexpected > 0,
  ),
  'a manifest was closed before anything had arrived': ofReports(
    ({ status, totals }) =>
      status === 'reconciled' && totals.missing === totals.expected && totals.unexpected === 0,
  ),
  'a slab was found by another spelling of its certificate': ofPartners(({ final }) => {
    const certs = new Map(final.items.map(({ qid, cert_number }) => [qid, cert_number]))
    return count(
      final.reports.flatMap(({ lines }) => lines),
      ({ match_key, matched_qids, cert_number }) =>
        match_key === 'cert_number' && matched_qids.some((qid) => certs.get(qid) !== cert_number),
    )
  }),
  'a report was read while goods for it arrived, and shows none of them': ofMeetings(
    isOf('getManifestReport'),
    (other, one, { effects }) => {
      const text = goodIssue(one)?.text
      const qids = (effects.get(other.trace)?.events ?? []).flatMap(({ data }) =>
        'qid' in data ? data.qid : [],
      )
      return brings(other) && text !== undefined && qids.length > 0 && !qids.some((qid) => text.includes(qid))
    },
  ),
  'an item was read while it was moved, and shown as it was before': ofMeetings(
    isOf('getItem'),
    (other, one, { effects, model }) => {
      const block = effects.get(other.trace)
      const [qid] = namesOf(one.act)
      const before = model.items
        .get(qid!)
        ?.versions.findLast(({ from }) => block !== undefined && from < block.from)
      return (
        before !== undefined &&
        goodIssue(one)?.text === before.text &&
        block!.events.some(({ data }) => 'qid' in data && data.qid === qid)
      )
    },
  ),
} as const satisfies States

const isByItself = ({ trace, events }: Judged['blocks'][number]): boolean =>
  trace === null && events.every(({ type }) => type.startsWith('manifest'))

function ofItems(is: (went: string) => boolean) {
  return ofPartners(({ model }) => count(model.items.values(), (one) => is(wayOf(one))))
}

function ofOrders(is: (went: string) => boolean) {
  return ofPartners(({ model }) => count(model.orders.values(), (one) => is(wayOf(one))))
}

/** Its statuses in order. */
const wayOf = ({ versions }: Resource): string => versions.map(({ status }) => ` ${status}`).join('')

function ofReports(is: (report: Judged['final']['reports'][number]) => boolean) {
  return ofPartners(({ final }) => count(final.reports, is))
}

const skuOf = ({ act }: Done): string | undefined =>
  act.id === 'createFulfillment' ? act.request.body.sku : undefined

function manifestOf({ act }: Done): string | undefined {
  if (act.id === 'warehouse')
    return act.request.step === 'intake' ? (act.request.manifestId ?? undefined) : undefined
  if (act.id === 'createIntakes') return act.request.body.manifest_id ?? undefined
  return act.id === 'receiveManifest' ? act.request.params.manifest_id : undefined
}

/** Null if time did it. */
function closedBy(blocks: Judged['blocks'], id: string): string | null | undefined {
  return blocks.find(({ events }) =>
    events.some(
      ({ type, data }) => type.startsWith('manifest') && 'manifest_id' in data && data.manifest_id === id,
    ),
  )?.trace
}

/** Whether one delivery filled a line, and the next one brought units that no line expected. */
function metAtLast(one: Done, other: Done, { final, model, effects }: Judged): boolean {
  const [first, second] = [effects.get(one.trace), effects.get(other.trace)]
  const id = manifestOf(one)
  if (!first || !second || id === undefined || manifestOf(other) !== id || second.from < first.to)
    return false
  const lines = final.reports.find(({ manifest_id }) => manifest_id === id)?.lines ?? []
  const arrived = model.arrived.get(id) ?? []
  const isIn = (block: { from: number; to: number }, at: number): boolean =>
    block.from <= at && at <= block.to
  const isFilled = lines.some(({ id: line, quantity }) => {
    const all = arrived.filter((intake) => intake.line === line)
    return all.length === quantity && isIn(first, all.at(-1)!.at)
  })
  return isFilled && arrived.some(({ line, at }) => line === null && isIn(second, at))
}
