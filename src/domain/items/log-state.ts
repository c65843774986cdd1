import { parsedJson } from '../../contract/call.ts'
import { webhookEvents } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { IntakeEvent, Item } from '../../contract/resources/item.ts'
import { sha256 } from '../computing.ts'
import { isHeld } from './item-states.ts'

export type HeldItem = Pick<
  Item,
  'qid' | 'status' | 'name' | 'sku' | 'grader' | 'grade' | 'cert_number' | 'category' | 'intake_at'
>

export type LogState = {
  held: Map<string, HeldItem>
  last: Pick<WebhookEvent, 'id' | 'created_at'> | undefined
  /** The event after `last`, if the log was read that far. */
  next?: Pick<WebhookEvent, 'created_at'>
  count: number
  /** SHA-256 over all events in order; changed by `addLink` only. */
  chain: string
}

export function emptyLog(): LogState {
  return { held: new Map(), last: undefined, count: 0, chain: '0'.repeat(64) }
}

/** Returns false, and keeps the event as `next`, if the log ends before it: after `lastId`, or at once if that is null. */
export function addEvent(state: LogState, event: WebhookEvent, lastId?: string | null): boolean {
  if (lastId !== undefined && (state.last?.id ?? null) === lastId) {
    state.next = event
    return false
  }
  const item = itemOf(event)
  if (item !== undefined) {
    if (!item.status) throw new TypeError(`the item of event ${event.id} has no status`)
    if (isHeld(item.status as never)) state.held.set(item.qid, factsOf(item))
    else state.held.delete(item.qid)
  }
  state.last = event
  state.count += 1
  return true
}

/** `text`: the event's exact JSON. Each link is the hash of two lines: the previous link and the event. */
export function addLink(state: LogState, text: string): void {
  state.chain = sha256(`${state.chain}\n${text}\n`)
}

export function itemOf({ type, data }: Pick<WebhookEvent, 'type' | 'data'>): Item | undefined {
  const kind = own<{ data: string }>(webhookEvents, type)?.data
  if (kind === 'intake') return (data as IntakeEvent).item
  return kind === 'item' ? (data as Item) : undefined
}

export function factsOf(item: Item): HeldItem {
  const { qid, status, name, sku, grader, grade, cert_number, category, intake_at } = item
  return { qid, status, name, sku, grader, grade, cert_number, ...(category && { category }), intake_at }
}

/** A partner's holdings at a point in time, bound to the log that proves them. */
export type Statement = {
  statement: 'custody'
  version: 1
  /** Null if the service does not say; absent in statements of older versions. */
  partner?: string | null
  environment?: string | null
  at: string
  /** Events after the last one may have its time, `at`. Without this, all events up to `at` are in the statement. */
  as_of?: 'last_event'
  events: { count: number; last_id: string | null; last_created_at: string | null; chain: string }
  total: number
  by_status: Record<string, number>
  items: HeldItem[]
}

type Holder = { partner?: string | undefined; environment?: string | undefined }

export function statementOf(
  at: string | undefined,
  { held, last, count, chain }: LogState,
  holder: Holder = {},
): Statement {
  const items = [...held.values()].sort((one, other) => (one.qid < other.qid ? -1 : 1))
  const groups = Object.entries(Object.groupBy(items, ({ status }) => status))
  const by_status = Object.fromEntries(groups.map(([status, group = []]) => [status, group.length]))
  const events = { count, last_id: last?.id ?? null, last_created_at: last?.created_at ?? null, chain }
  const { partner = null, environment = null } = holder
  return {
    statement: 'custody',
    version: 1,
    partner,
    environment,
    at: at ?? events.last_created_at ?? '',
    ...(at === undefined && { as_of: 'last_event' }),
    events,
    total: items.length,
    by_status,
    items,
  }
}

export type Difference = { fact: string; statement: string | null; log: string | null }

/** Every fact of a statement that the log contradicts, up to the statement's last event. `now`: this machine's time; it may be behind. */
export function differencesOf(
  given: Statement,
  state: LogState,
  { now = given.at, ...holder }: Holder & { now?: string | undefined } = {},
): Difference[] {
  const found = statementOf(given.at, state, holder)
  const differences: Difference[] = []
  const compare = (fact: string, one: unknown, other: unknown): void => {
    const [statement, log] = [shown(one), shown(other)]
    if (statement !== log) differences.push({ fact, statement, log })
  }
  for (const name of ['partner', 'environment'] as const)
    if (holder[name] !== undefined && given[name]) compare(name, given[name], found[name])
  for (const name of ['count', 'last_id', 'last_created_at', 'chain'] as const)
    compare(`events.${name}`, given.events[name], found.events[name])
  const { last, next } = state
  if (last !== undefined && given.as_of === 'last_event') compare('at', given.at, last.created_at)
  else if (last !== undefined && last.created_at > given.at)
    compare('at', given.at, `not before ${last.created_at}`)
  else if (next !== undefined && next.created_at <= given.at)
    compare('at', given.at, `before ${next.created_at}`)
  else if (given.at > now && given.at > (last?.created_at ?? '')) compare('at', given.at, `not after ${now}`)
  compare('total', given.total, found.total)
  for (const status of new Set([...Object.keys(given.by_status), ...Object.keys(found.by_status)].sort()))
    compare(`by_status.${status}`, own(given.by_status, status) ?? 0, own(found.by_status, status) ?? 0)
  const stated = new Map(given.items.map((item) => [item.qid, item]))
  for (const qid of new Set([...stated.keys(), ...state.held.keys()].sort()))
    compare(`items.${qid}`, stated.get(qid), state.held.get(qid))
  if (stated.size !== given.items.length) compare('items', given.items.length, stated.size)
  return differences
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value, Object.keys(value).sort()) : String(value)
}

export function parseStatement(text: string): Statement | undefined {
  const value = parsedJson(text.trim()) as Partial<Statement> | null | undefined
  if (value?.statement !== 'custody' || value.version !== 1 || !Array.isArray(value.items)) return undefined
  if (typeof value.at !== 'string' || typeof value.events?.count !== 'number') return undefined
  const isWhole = typeof value.by_status === 'object' && value.by_status !== null
  const haveQids = value.items.every((item) => typeof item?.qid === 'string')
  return isWhole && haveQids ? (value as Statement) : undefined
}
