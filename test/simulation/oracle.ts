import { operation } from '../../src/contract/operations.ts'
import { type Block, begunAt, blocksOf, endedAt, isGood } from './blocks.ts'
import { fromBox } from './box-oracle.ts'
import { closedInTime } from './closing.ts'
import { answeredFor } from './command-oracle.ts'
import { conserve, delivered, rowsOf } from './conservation.ts'
import { settled } from './errand-oracle.ts'
import type { Act } from './making.ts'
import { emptyModel, type Model, wasIn } from './model.ts'
import { wasAtOnce } from './moments.ts'
import type { Done, History, Issue } from './run.ts'
import { signed } from './signatures.ts'
import { stated } from './statements.ts'
import { explainStep, explainsRejection, mayLeave, pickedBy } from './warehouse-oracle.ts'

/** Which operations may cause which events; any other event has no cause. */
const causes: Readonly<Record<string, RegExp>> = {
  createIntakes: /^item\.intake/,
  receiveManifest: /^item\.intake/,
  closeManifest: /^manifest/,
  createFulfillment: /^(fulfillment\.status|item\.status)/,
  importFulfillmentsCsv: /^(fulfillment\.status|item\.status)/,
  cancelFulfillment: /^(fulfillment\.status|item\.status)/,
  advanceFulfillment: /^(fulfillment|item)\./,
  requestTransfer: /^(transfer\.requested|item\.status)/,
  cancelTransfer: /^(transfer\.cancelled|item\.status)/,
  resolveTransfer: /^(transfer\.(completed|declined)|item\.status)/,
  advanceItem: /^(fulfillment|item|transfer)\./,
  // Whatever is due happens before the new time is answered (rulings 10, 11).
  advanceClock: /^manifest/,
}

const mayCause = (act: Act): RegExp | undefined => (act.id === 'warehouse' ? mayLeave(act) : causes[act.id])

/** In one transaction or in several, with others in between: due work, and many arrivals. */
const inSteps = /^(advanceClock|receiveManifest|importFulfillmentsCsv)$/

/** The result of one partner's log and answers; `model.faults`: what cannot have happened. */
export type Judged = History & { model: Model; blocks: Block[]; effects: ReadonlyMap<string, Block> }

/** Judges one partner's history: one order of effects explains every answer, and no effect lacks a cause. */
export function judge(history: History): Judged {
  const { done, log } = history
  const model = emptyModel()
  const blocks = blocksOf(log, model)
  const byTrace = new Map(done.map((one) => [one.trace, one]))
  const effects = new Map<string, Block>()
  const isFromBox = fromBox(history)
  for (const block of blocks) {
    const { trace } = block
    const deed = trace === null ? undefined : byTrace.get(trace)
    const isInSteps = inSteps.test(deed?.act.id ?? '')
    for (let at = isInSteps ? block.from : block.to; at <= block.to; at++) model.log.ends.push(at)
    const may = trace === null ? /^manifest/ : deed && mayCause(deed.act)
    for (const event of block.events)
      if (!may?.test(event.type) && !(trace === null && isFromBox(event)))
        model.faults.push(`${block.from}: ${event.type} has no cause (${deed?.act.id})`)
    if (trace === null) continue
    const before = effects.get(trace)
    if (before && !isInSteps) model.faults.push(`${block.from}: ${deed?.act.id} ${trace} was done twice`)
    effects.set(trace, before ? joined(before, block) : block)
  }
  closedInTime(history, blocks, byTrace, model)
  inOrder(blocks, byTrace, model)
  const placeOf = places(done, effects)
  model.picked = pickedBy(done)
  for (const one of done) explain(one, effects.get(one.trace), placeOf(one), model, history)
  conserve(history, model)
  stated(history, model)
  delivered(history, effects, model)
  signed(history, model)
  for (const one of history.errands) settled(one, history, model)
  for (const one of history.commands) answeredFor(one, history, effects, model)
  return { ...history, model, blocks, effects }
}

/** An answer before another request comes before that request in the log. */
function inOrder(blocks: readonly Block[], byTrace: ReadonlyMap<string | null, Done>, model: Model): void {
  let latest = 0
  for (const { trace, from } of blocks) {
    const one = byTrace.get(trace)
    if (!one) continue
    if (endedAt(one) < latest)
      model.faults.push(`${from}: ${one.act.id} is in the log behind what was asked for later`)
    latest = Math.max(latest, begunAt(one))
  }
}

function joined(before: Block, after: Block): Block {
  return { ...after, from: before.from, events: [...before.events, ...after.events] }
}

/** The positions of the log between which a deed was carried out, as far as earlier and later answers tell. */
function places(done: readonly Done[], effects: ReadonlyMap<string, Block>) {
  const placed = done.flatMap((one) => {
    const block = effects.get(one.trace)
    return block ? [{ begun: begunAt(one), ended: endedAt(one), from: block.from, to: block.to }] : []
  })
  const lastBefore = latestBefore(placed.map(({ ended, to }) => ({ at: ended, place: to })))
  const firstAfter = latestBefore(placed.map(({ begun, from }) => ({ at: -begun, place: 1 - from })))
  return (one: Done): readonly [number, number] => {
    const ended = Math.max(...one.issues.map((issue) => issue.ended))
    return [Math.max(0, lastBefore(begunAt(one))), -firstAfter(-ended)]
  }
}

/** The last position in the log before a moment. */
function latestBefore(placed: ReadonlyArray<{ at: number; place: number }>): (moment: number) => number {
  let latest = Number.NEGATIVE_INFINITY
  const sorted = [...placed].sort((a, b) => a.at - b.at)
  const steps = sorted.map(({ at, place }) => {
    latest = Math.max(latest, place)
    return { at, latest }
  })
  return (moment) => {
    let [low, high] = [0, steps.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (steps[middle]!.at < moment) low = middle + 1
      else high = middle
    }
    return steps[low - 1]?.latest ?? Number.NEGATIVE_INFINITY
  }
}

/** Every answer to a deed, by its actual or possible position in the log. */
function explain(
  one: Done,
  block: Block | undefined,
  place: readonly [number, number],
  model: Model,
  history: History,
): void {
  const { act, issues, deed } = one
  const wrong = (what: string): void => void model.faults.push(`deed ${deed.no} ${act.id}: ${what}`)
  const heard = issues.filter(({ status }) => status !== undefined)
  if (one.isStrange) {
    // The client counts a DELETE as done if its answer was lost and it now finds nothing.
    const given = heard.find(({ status, text }) => isGood(status) && !/^$|^{"created":\[],/.test(text))
    if (given || block || heard.some(({ status }) => status === 409))
      wrong(`was given what is another partner's: ${given?.text}`)
    return
  }
  const kept = heard.filter(({ status }) => status === 409 || isGood(status))
  if (new Set(kept.map(({ text }) => text)).size > 1 && isStored(act.id))
    wrong('the same key was answered in two ways')
  const good = heard.find(({ status }) => isGood(status))
  if (block && heard.length > 0 && !good && heard.length === issues.length)
    wrong(`was rejected, and done at ${block.from}`)
  for (const issue of act.id.startsWith('get') || act.id.startsWith('list') ? heard : [good])
    if (issue && isGood(issue.status)) {
      // A 200 shows what an earlier request created (ruling 13).
      const isRepeated = act.id === 'createFulfillment' && issue.status === 200
      const explain = isRepeated ? explainRepeated : explainGood
      explain(one, issue, block, place, model, wrong)
    }
  if (good && act.id === 'cancelFulfillment') {
    const picked = model.picked.get(act.request.params.fulfillment_id) ?? Number.POSITIVE_INFINITY
    if (picked < begunAt(one)) wrong('cancelled what had been picked')
  }
  const rejected = kept.find(({ status }) => status === 409)
  if (rejected && !explainsConflict(one, place, model, history))
    wrong(`was rejected for no reason: ${rejected.text}`)
  for (const { status, text } of heard)
    if (status! >= 400 && status! < 500 && status !== 409 && !isRejectable(act, status!))
      wrong(`answered ${status}: ${text}`)
}

/** Rejections that depend only on the resource: deleted subscriptions, final states, unknown SKUs. */
function isRejectable(act: Act, status: number): boolean {
  if (status === 404) return /Subscription|Deliver|redeliver/.test(act.id)
  if (act.id === 'createFulfillment') return status === 400 && act.request.body.qids === undefined
  return status === 400 && /^advance(Item|Fulfillment)$/.test(act.id)
}

/** Whether an answer concerns the requested resource. */
function isAskedFor(act: Act, answer: Record<string, unknown>): boolean {
  if (act.id === 'warehouse' || /^(list|redeliver|replay|test)/.test(act.id)) return true
  const { params = {}, body } = act.request as { params?: Record<string, string>; body?: { qids?: string[] } }
  const named = [answer.id, answer.qid, answer.product_id, answer.manifest_id]
  const { qids } = body ?? {}
  if (act.id === 'receiveManifest') return true
  return (
    Object.values(params).every((id) => named.includes(id)) &&
    (qids === undefined || `${[...qids].sort()}` === `${[...(answer.qids as string[])].sort()}`)
  )
}

/** A PATCH and a DELETE are carried out each time, whatever their key (ruling 4). */
const isStored = (id: Act['id']): boolean => id !== 'warehouse' && operation(id).method === 'POST'

type Manifested = { manifest_id: string | null }

type Explain = (
  one: Done,
  issue: Issue,
  block: Block | undefined,
  place: readonly [number, number],
  model: Model,
  wrong: (what: string) => void,
) => void

const explainGood: Explain = ({ act }, { text }, block, place, model, wrong) => {
  if (text === '') return
  const [answer, first] = [JSON.parse(text), block?.events[0]]
  if (!isAskedFor(act, answer)) wrong(`answered something else: ${text}`)
  switch (act.id) {
    case 'createFulfillment':
    case 'requestTransfer':
    case 'cancelFulfillment':
    case 'cancelTransfer':
    case 'resolveTransfer':
      if (JSON.stringify(first?.data) !== text)
        wrong(`answered ${text}, but the log says ${JSON.stringify(first)}`)
      if (block && block.events.length !== 1 + answer.qids.length) wrong(`left ${block.events.length} events`)
      return
    case 'createIntakes':
    case 'receiveManifest':
      if (JSON.stringify(answer.intakes) !== JSON.stringify((block?.events ?? []).map(({ data }) => data)))
        wrong('answered other intakes than the log has')
      if (
        act.id === 'receiveManifest' &&
        answer.intakes.some((one: Manifested) => one.manifest_id !== act.request.params.manifest_id)
      )
        wrong('brought what belongs to another manifest')
      if (act.id === 'createIntakes' && answer.intakes.length !== act.request.body.items.length)
        wrong('lost an item')
      return
    case 'closeManifest':
      if (block?.events.length !== 1 || answer.status !== 'reconciled') wrong('did not close')
      return
    case 'importFulfillmentsCsv': {
      const repeats = answer.repeated?.length ?? 0
      const [orders, asked] = [answer.created.length, rowsOf(act.request.form.file) - repeats]
      const made = block?.events.filter(({ type }) => type === 'fulfillment.status.changed').length ?? 0
      if (made !== orders || orders + answer.errors.length !== asked) wrong(`made ${made} orders of ${asked}`)
      return
    }
    case 'warehouse':
      explainStep(act, text, block, wrong)
      return
    case 'advanceFulfillment': {
      const { to_status, to_stage } = act.request.body
      const isThere = to_stage ? answer.processing_stage === to_stage : answer.status === to_status
      if (!isThere || (to_status && !to_stage && !block))
        wrong(`left the order ${answer.status} ${answer.processing_stage}`)
      return
    }
    case 'advanceItem':
      if (answer.status !== act.request.body.to_status || !block) wrong(`left the item ${answer.status}`)
      return
    default:
      if (!wasRead(act, answer, place, model)) wrong(`read what never was so: ${text} ${place}`)
  }
}

/** An existing order is answered as it was, and nothing is done. */
const explainRepeated: Explain = ({ act }, { text }, block, place, model, wrong) => {
  const { id, status, external_ref } = JSON.parse(text)
  const { body } = act.request as { body: { external_ref?: string } }
  const was = wasIn(model.orders.get(id), place, (version) => version.status === status)
  if (block || !was || external_ref !== body.external_ref) wrong(`repeated what never was so: ${text}`)
}

function wasRead(
  act: Act,
  answer: Parameters<typeof wasAtOnce>[1] & { qid: string },
  place: readonly [number, number],
  model: Model,
): boolean {
  const is = (version: { text: string }): boolean => version.text === JSON.stringify(answer)
  if (act.id === 'getItem') return wasIn(model.items.get(answer.qid), place, is)
  if (act.id === 'getTransfer') return wasIn(model.transfers.get(answer.id), place, is)
  if (act.id === 'getFulfillment')
    return wasIn(model.orders.get(answer.id), place, ({ status }) => status === answer.status)
  return wasAtOnce(act, answer, place, model)
}

/** Whether anything that was true meanwhile justifies a 409. */
function explainsConflict(
  { act, deed, isOfTool }: Done,
  place: readonly [number, number],
  model: Model,
  { final }: History,
): boolean {
  const was =
    (...statuses: string[]) =>
    (version: { status: string }) =>
      !statuses.includes(version.status)
  switch (act.id) {
    case 'createFulfillment':
      return (
        !act.request.body.qids ||
        (isOfTool && repeatsAnother(act.request.body, place, model)) ||
        act.request.body.qids.some((qid) => wasIn(model.items.get(qid), place, was('available')))
      )
    case 'requestTransfer':
      return act.request.body.qids.some((qid) => wasIn(model.items.get(qid), place, was('available')))
    case 'cancelFulfillment':
      return wasIn(model.orders.get(act.request.params.fulfillment_id), place, was('pending'))
    case 'cancelTransfer':
    case 'resolveTransfer':
      return wasIn(model.transfers.get(act.request.params.transfer_id), place, was('requested'))
    case 'closeManifest':
    case 'receiveManifest':
      return (model.closed.get(act.request.params.manifest_id) ?? Number.POSITIVE_INFINITY) <= place[1]
    case 'createIntakes':
      return (model.closed.get(act.request.body.manifest_id ?? '') ?? Number.POSITIVE_INFINITY) <= place[1]
    case 'testSubscription':
    case 'redeliver':
    case 'replaySubscription':
      return true
    case 'warehouse':
      return explainsRejection(act, place, model)
    case 'submitManifestCsv':
      return isOfTool && final.manifests.some(({ reference }) => reference === act.request.form.reference)
    case 'createProduct':
      return final.products.some(
        ({ sku, name }) => sku === act.request.body.sku && name !== `goods${deed.no}`,
      )
    default:
      return false
  }
}

/**
 * The tool asks with `Custody-Repeats: skip`: an order of the same reference that is over, or has other items, is not ordered
 * again (ruling 13).
 */
function repeatsAnother(
  { qids = [], external_ref }: { qids?: string[] | undefined; external_ref?: string | null | undefined },
  place: readonly [number, number],
  { orders }: Model,
): boolean {
  if (!external_ref) return false
  return [...orders.values()].some((order) =>
    wasIn(order, place, ({ status, text }) => {
      if ((JSON.parse(text) as { external_ref: string | null }).external_ref !== external_ref) return false
      const isOther = `${[...order.qids].sort()}` !== `${[...qids].sort()}`
      return status === 'cancelled' || status === 'returned' || isOther
    }),
  )
}
