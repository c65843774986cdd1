import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { canMove } from '../support/item-moves.ts'

// The rules of the specification, read from the log: parts 3 and 6, rulings 7 and 11. Nothing of the engine's own rules is used.

type Edges = Readonly<Record<string, readonly string[]>>

const orderEdges: Edges = {
  pending: ['processing', 'cancelled', 'exception'],
  processing: ['shipped', 'cancelled', 'exception'],
  shipped: ['delivered', 'exception', 'returned'],
  exception: ['processing', 'shipped', 'returned'],
  delivered: ['returned'],
  cancelled: [],
  returned: [],
}
const transferEdges: Edges = {
  requested: ['completed', 'declined', 'cancelled'],
  completed: [],
  declined: [],
  cancelled: [],
}

/** A resource's state from a position in the log on. */
export type Version = { from: number; status: string; text: string; intakeAt?: string }
export type Resource = { qids: readonly string[]; versions: Version[] }
type Item = Resource & { sku: string; active: string | null }
type Intake = {
  manifest: string | null
  line: string | null
  isFlagged: boolean
  /** Whether the item existed before. */
  isAgain: boolean
  at: number
  text: string
}

/** What the log says about one partner. */
export type Model = {
  items: Map<string, Item>
  bySku: Map<string, Item[]>
  orders: Map<string, Resource>
  transfers: Map<string, Resource>
  closed: Map<string, number>
  /** When it became known that an order was picked, in steps of the run: stages emit no events. */
  picked: Map<string, number>
  intakes: Intake[]
  /** New items by manifest. */
  arrived: Map<string | null, Intake[]>
  /** By item, all its transfers. */
  asked: Map<string, Set<string>>
  /** Its events in order, the position of each, and the positions at which transactions ended. */
  log: { texts: string[]; places: Map<string, number>; ends: number[] }
  faults: string[]
}

export function emptyModel(): Model {
  return {
    items: new Map(),
    bySku: new Map(),
    orders: new Map(),
    transfers: new Map(),
    closed: new Map(),
    picked: new Map(),
    intakes: [],
    arrived: new Map(),
    asked: new Map(),
    log: { texts: [], places: new Map(), ends: [] },
    faults: [],
  }
}

export const statusOf = (resource: Resource | undefined): string | undefined =>
  resource?.versions.at(-1)?.status

export function versionAt({ versions }: Resource, place: number): Version | undefined {
  for (let at = versions.length - 1; at >= 0; at--) if (versions[at]!.from <= place) return versions[at]
  return undefined
}

/** Whether a resource had this state anywhere between two positions of the log. */
export function wasIn(
  resource: Resource | undefined,
  [from, to]: readonly [number, number],
  is: (one: Version) => boolean,
): boolean {
  const { versions = [] } = resource ?? {}
  return versions.some(
    (one, at) => one.from <= to && (versions[at + 1]?.from ?? Number.POSITIVE_INFINITY) > from && is(one),
  )
}

/** Adds an event, and any fault in it. */
export function apply(model: Model, at: number, event: WebhookEvent): void {
  const { type, data } = event
  switch (type) {
    case 'item.intake.completed': {
      const { item, ...intake } = data
      const isAgain = model.items.has(item.qid)
      if (!isAgain) moveItem(model, at, item, undefined)
      else if (statusOf(model.items.get(item.qid)) !== 'received')
        model.faults.push(`${at}: ${item.qid} was taken in twice`)
      const { manifest_id: manifest, manifest_line_id: line, condition_flags } = intake
      const isFlagged = condition_flags.length > 0
      const one = { manifest, line, isFlagged, isAgain, at, text: JSON.stringify(data) }
      model.intakes.push(one)
      if (!isAgain) addTo(model.arrived, manifest, one)
      return
    }
    case 'item.status.changed':
      moveItem(model, at, data, statusOf(model.items.get(data.qid)) ?? 'nothing')
      return
    case 'fulfillment.status.changed':
      move(model, model.orders, orderEdges, at, data)
      return
    case 'fulfillment.issue.raised':
    case 'fulfillment.returned': {
      const wanted = type === 'fulfillment.returned' ? 'returned' : 'exception'
      if (statusOf(model.orders.get(data.id)) !== wanted)
        model.faults.push(`${at}: ${type} of ${data.id} that is not`)
      return
    }
    case 'manifest.reconciliation.completed': {
      if (model.closed.has(data.manifest_id)) model.faults.push(`${at}: ${data.manifest_id} was closed twice`)
      model.closed.set(data.manifest_id, at)
      closes(model, at, data)
      return
    }
    case 'transfer.requested':
    case 'transfer.completed':
    case 'transfer.declined':
    case 'transfer.cancelled':
      if (!type.endsWith(data.status)) model.faults.push(`${at}: ${type} says ${data.status}`)
      move(model, model.transfers, transferEdges, at, data)
      for (const qid of data.qids) model.asked.set(qid, (model.asked.get(qid) ?? new Set()).add(data.id))
      return
  }
}

function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

type ItemData = {
  qid: string
  sku: string
  status: string
  intake_at: string
  active_fulfillment_id: string | null
}

function moveItem(model: Model, at: number, data: ItemData, from: string | undefined): void {
  const { qid, sku, status, intake_at: intakeAt, active_fulfillment_id: active } = data
  const isLegal = from === undefined ? status === 'received' : canMove(from, status)
  if (!isLegal) model.faults.push(`${at}: ${qid} went from ${from} to ${status}`)
  const known = model.items.get(qid)
  const item = known ?? { qids: [qid], sku, active, versions: [] }
  item.active = active
  item.versions.push({ from: at, status, intakeAt, text: JSON.stringify(data) })
  if (known) return
  model.items.set(qid, item)
  addTo(model.bySku, sku, item)
}

type Held = { id: string; qids: readonly string[]; status: string }

function move(model: Model, all: Map<string, Resource>, edges: Edges, at: number, data: Held): void {
  const known = all.get(data.id)
  const from = statusOf(known)
  const isFirst = data.status === 'pending' || data.status === 'requested'
  const isLegal = from === undefined ? isFirst : edges[from]?.includes(data.status)
  if (!isLegal) model.faults.push(`${at}: ${data.id} went from ${from} to ${data.status}`)
  if (from === undefined)
    for (const qid of data.qids)
      if (statusOf(model.items.get(qid)) !== 'available')
        model.faults.push(`${at}: ${data.id} took ${qid}, which was not free`)
  const versions = known?.versions ?? []
  versions.push({ from: at, status: data.status, text: JSON.stringify(data) })
  all.set(data.id, { qids: data.qids, versions })
}

type Totals = {
  manifest_id: string
  totals: Record<'expected' | 'matched' | 'missing' | 'unexpected' | 'condition_mismatch', number>
}

/** Expected units are those that came and those that did not (ruling 6). */
function closes(model: Model, at: number, { manifest_id, totals }: Totals): void {
  const came = model.arrived.get(manifest_id) ?? []
  const onLine = came.filter(({ line }) => line !== null)
  const [matched, unexpected] = [
    onLine.filter(({ isFlagged }) => !isFlagged).length,
    came.length - onLine.length,
  ]
  const condition_mismatch = onLine.length - matched
  const missing = totals.expected - onLine.length
  const right = { expected: totals.expected, matched, missing, unexpected, condition_mismatch }
  for (const [name, value] of Object.entries(right))
    if (totals[name as keyof typeof right] !== value)
      model.faults.push(
        `${at}: ${manifest_id} was closed with ${name} ${totals[name as keyof typeof right]}, not ${value}`,
      )
}

/** What must be true after each transaction: an item names its holder, and nobody else holds it. */
export function holds(model: Model, at: number, touched: Iterable<string>): void {
  for (const qid of touched) {
    const item = model.items.get(qid)
    const status = statusOf(item)
    const order = item?.active ? model.orders.get(item.active) : undefined
    const isOnOrder = status === 'in_fulfillment' || status === 'in_transit'
    const isHeld = order !== undefined && !/delivered|cancelled|returned/.test(statusOf(order)!)
    if (isOnOrder !== isHeld || isOnOrder !== Boolean(item?.active))
      model.faults.push(`${at}: ${qid} is ${status}, its order ${item?.active} ${statusOf(order)}`)
    if (order && !order.qids.includes(qid)) model.faults.push(`${at}: ${qid} is on an order that has it not`)
    const asked = [...(model.asked.get(qid) ?? [])].filter(
      (id) => statusOf(model.transfers.get(id)) === 'requested',
    )
    if (asked.length !== (status === 'pending_transfer' ? 1 : 0))
      model.faults.push(`${at}: ${qid} is ${status} with ${asked.length} transfers`)
  }
}
