import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { deliveryKeptMs } from '../../src/domain/webhooks/webhook-schedule.ts'
import { type Block, begunAt, endedAt, isGood } from './blocks.ts'
import { type Model, statusOf } from './model.ts'
import type { Done, History } from './run.ts'

const onHand = new Set(['received', 'digitized', 'available', 'in_fulfillment', 'pending_transfer'])

/** The final state matches the log and the answers, and its sums are right. */
export function conserve({ done, final, log }: History, model: Model): void {
  const wrong = (what: string): void => void model.faults.push(`in the end ${what}`)
  if (JSON.stringify(final.events) !== JSON.stringify(log.map(({ event }) => event)))
    wrong('the events are not the log')
  if (final.items.length !== model.items.size)
    wrong(`there are ${final.items.length} items, not ${model.items.size}`)
  const [counts, stock] = [new Map<string, number>(), new Map<string, [number, number, number]>()]
  for (const item of final.items) {
    const known = model.items.get(item.qid)
    if (known?.versions.at(-1)?.text !== JSON.stringify(item)) wrong(`${item.qid} is ${JSON.stringify(item)}`)
    counts.set(item.status, (counts.get(item.status) ?? 0) + 1)
    const [held, free, taken] = stock.get(item.sku) ?? [0, 0, 0]
    const isTaken = item.status === 'in_fulfillment' || item.status === 'pending_transfer'
    const by = [onHand.has(item.status), item.status === 'available', isTaken].map(Number) as [
      number,
      number,
      number,
    ]
    stock.set(item.sku, [held + by[0], free + by[1], taken + by[2]])
  }
  summed(final, counts, wrong)
  const stocked = new Set(final.inventory.map(({ sku }) => sku))
  for (const [sku, [held]] of stock) if (held > 0 && !stocked.has(sku)) wrong(`there is no stock of ${sku}`)
  for (const { sku, on_hand, available, allocated } of final.inventory)
    if (`${stock.get(sku) ?? [0, 0, 0]}` !== `${[on_hand, available, allocated]}`)
      wrong(`the stock of ${sku} is ${on_hand}`)
  for (const { manifest_id, totals, lines, status, unexpected } of final.reports) {
    const arrived = model.arrived.get(manifest_id) ?? []
    const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
    const { expected, matched, missing, condition_mismatch } = totals
    if (expected !== units || expected !== matched + missing + condition_mismatch)
      wrong(`${manifest_id} does not add up`)
    if (arrived.length !== matched + condition_mismatch + unexpected.length)
      wrong(`${manifest_id} lost an arrival`)
    if ((status === 'reconciled') !== model.closed.has(manifest_id)) wrong(`${manifest_id} is ${status}`)
    for (const { id, received_quantity, quantity } of lines)
      if (
        received_quantity > quantity ||
        arrived.filter(({ line }) => line === id).length !== received_quantity
      )
        wrong(`line ${id} has ${received_quantity} of ${quantity}`)
  }
  once(
    done,
    final.manifests.map(({ reference, id }) => ({ no: numberIn(reference), id })),
    /^submitManifest/,
    wrong,
  )
  once(
    done,
    final.products.map(({ name, product_id }) => ({ no: numberIn(name), id: product_id })),
    /^createProduct/,
    wrong,
  )
  imported(done, final, wrong)
  const orders = new Map(final.fulfillments.map(({ id, status }) => [id, status]))
  for (const [id, order] of model.orders)
    if (orders.get(id) !== statusOf(order)) wrong(`${id} is not ${statusOf(order)}`)
  if (final.fulfillments.length !== model.orders.size) wrong('there are orders that no event tells of')
}

function summed(
  { summary }: History['final'],
  counts: ReadonlyMap<string, number>,
  wrong: (what: string) => void,
): void {
  const byStatus = new Map(Object.entries(summary.by_status))
  for (const status of new Set([...byStatus.keys(), ...counts.keys()]))
    if ((counts.get(status) ?? 0) !== (byStatus.get(status) ?? 0))
      wrong(`the summary counts ${byStatus.get(status)} ${status}`)
}

/** Data rows of a file that the workload creates. */
export const rowsOf = (file: unknown): number =>
  Buffer.from(file as Uint8Array)
    .toString()
    .trim()
    .split('\n').length - 1

const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0])

/**
 * A resource without events exists once if it was answered, at most once if nobody heard, and not at all if it was rejected.
 */
function once(
  done: readonly Done[],
  made: Array<{ no: number; id: string }>,
  ids: RegExp,
  wrong: (what: string) => void,
): void {
  const byDeed = Map.groupBy(made, ({ no }) => no)
  for (const { deed, act, issues, isOfTool } of done) {
    if (!ids.test(act.id) || isOfTool) continue
    const mine = byDeed.get(deed.no) ?? []
    const heard = issues.filter(({ status }) => status !== undefined)
    const good = heard.find(({ status }) => isGood(status))
    if (mine.length > 1) wrong(`deed ${deed.no} ${act.id} made ${mine.length}`)
    if (good && !mine.some(({ id }) => good.text.includes(id)))
      wrong(`what deed ${deed.no} ${act.id} made is gone`)
    if (!good && heard.length === issues.length && mine.length > 0)
      wrong(`deed ${deed.no} ${act.id} was rejected, and done`)
  }
}

/** A file of products created what its answer says, in any number of steps, and no SKU twice. */
function imported(
  done: readonly Done[],
  { products }: History['final'],
  wrong: (what: string) => void,
): void {
  if (new Set(products.map(({ sku }) => sku)).size !== products.length)
    wrong('there are two products of one SKU')
  const byDeed = Map.groupBy(products, ({ name }) => numberIn(name))
  for (const { deed, act, issues, isOfTool } of done) {
    const text = issues.find(({ status }) => isGood(status))?.text
    if (act.id !== 'importProductsCsv' || isOfTool || !text) continue
    const { created, errors } = JSON.parse(text)
    const made = byDeed.get(deed.no) ?? []
    const ids = new Set(made.map(({ product_id }) => product_id))
    if (
      created.length !== made.length ||
      created.some((one: { product_id: string }) => !ids.has(one.product_id))
    )
      wrong(`deed ${deed.no} ${act.id} made ${made.length}, not ${created.length}`)
    if (created.length + errors.length !== rowsOf(act.request.form.file))
      wrong(`deed ${deed.no} ${act.id} lost a row`)
  }
}

/** Each event that a subscription wants was received, or is listed as not delivered; nothing else was. */
export function delivered(
  { final, log, receipts, delivering, done }: History,
  effects: ReadonlyMap<string, Block>,
  model: Model,
): void {
  // A partner's clock is never behind its log.
  const now = Math.max(
    final.at + final.offset_seconds * 1000,
    Date.parse(log.at(-1)?.event.created_at ?? '1970'),
  )
  const keptSince = new Date(now - deliveryKeptMs).toISOString()
  const texts = new Map(log.map(({ event, text }) => [event.id, text]))
  const samples = done.filter(({ act }) => act.id === 'testSubscription')
  const isSample = (id: string): boolean =>
    !texts.has(id) &&
    samples.some(({ issues }) => issues.some(({ text }) => text.includes(id) || text === ''))
  const changed = new Set(
    done.flatMap(({ act }) => (act.id === 'updateSubscription' ? [act.request.params.subscription_id] : [])),
  )
  const made = done.filter(({ act }) => act.id === 'createSubscription')
  const there = new Set(final.subscriptions.map(({ id }) => id))
  for (const { act, isStrange } of done)
    if (act.id === 'deleteSubscription' && !isStrange) there.add(act.request.params.subscription_id)
  for (const { issues } of made) {
    const text = issues.find(({ status }) => isGood(status))?.text
    if (text && !there.has(JSON.parse(text).id))
      model.faults.push(`${JSON.parse(text).id} is gone, and nobody deleted it`)
  }
  for (const { id, active, event_types } of final.subscriptions) {
    const mine = receipts.filter(({ subscriptionId }) => subscriptionId === id)
    const got = new Set(mine.map(({ eventId }) => eventId))
    for (const { eventId, payload } of mine)
      if (texts.get(eventId) !== payload && !isSample(eventId))
        model.faults.push(`${id} was sent another ${eventId} than the log has`)
    const since = made.find(({ issues }) => issues.some(({ text }) => text.includes(id)))
    if (!active || !since || changed.has(id)) continue
    const open = new Set(
      final.deliveries
        .filter((one) => one.status !== 'delivered' && one.subscription_id === id)
        .map(({ event_id }) => event_id),
    )
    const tried = delivering.filter(({ attempt }) => attempt.subscriptionId === id)
    const isForgotten = (event: WebhookEvent): boolean =>
      event.created_at < keptSince && tried.some(({ attempt }) => attempt.eventId === event.id)
    const later = done
      .filter((one) => begunAt(one) > endedAt(since))
      .flatMap((one) => effects.get(one.trace)?.events ?? [])
    for (const event of later)
      if (
        event_types.includes(event.type) &&
        !got.has(event.id) &&
        !open.has(event.id) &&
        !isForgotten(event)
      )
        model.faults.push(`${id} was never sent ${event.type} ${event.id}`)
  }
}
