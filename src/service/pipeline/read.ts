import type { Call, Reply } from '../../contract/call.ts'
import { pageSizeDefault } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import {
  type OperationId,
  operation as operationOf,
  pathOf,
  type QueryOf,
} from '../../contract/operations.ts'
import { isUuid } from '../../domain/uuid.ts'
import type {
  Handler,
  LinkedPage,
  Listing,
  Paging,
  ReadContext,
  ReadId,
  Settings,
} from '../../engine/context.ts'
import { findSlabs } from '../../engine/intake/held-slabs.ts'
import { listIntakes } from '../../engine/intake/intakes.ts'
import { listInventory, listItems } from '../../engine/items/item-list.ts'
import { getItem, getItemSummary } from '../../engine/items/items.ts'
import { getProduct, listProducts } from '../../engine/items/products.ts'
import { getManifest, getManifestReport, listManifests } from '../../engine/manifests/manifests.ts'
import { readContext } from '../../engine/unit-of-work.ts'
import {
  isEmptyEventPage,
  listEvents,
  listLastEvents,
  nextCursor,
  placeOf,
} from '../../engine/webhooks/events.ts'
import { runtime } from '../../runtime/runtime.ts'
import { inScope, type ScopedTx, type Tx } from '../../store/database.ts'
import type { Scope } from '../../store/tables/scopes.ts'
import type { Context } from '../context.ts'
import { faultsOf, type Parsed, parseRequest } from '../parsing/parse.ts'
import { conditionOf, etagOfText, etagOfVersion, isMatch, notModified, withEtag } from '../representation.ts'
import { authenticate, type Principal } from './authenticate.ts'
import { type PreferredLast, preferredLast, preferredWait } from './prefer.ts'
import { jsonReply } from './reply.ts'

type Answered = string | Listing<unknown> | LinkedPage<unknown>
type ReadHandler = (view: ReadContext, input: Parsed) => Promise<Answered>

/**
 * Returns 304 before any work if nothing in the scope has changed since its entity tag. The tag is read first: a response may be
 * newer than its tag, and is then fetched once more, but never older.
 */
export async function answerRead(
  context: Context,
  id: ReadId,
  call: Call,
  { scope, version }: Principal,
): Promise<Reply> {
  if (version === undefined || (operationOf(id).waits && isPreferred(call)))
    return answerFresh(context, id, call, scope)
  const condition = conditionOf(call)
  const etag = reads[id].changesByItself ? undefined : etagOfVersion(call, scope, version, context.release)
  if (etag !== undefined && isMatch(condition, etag)) return notModified(etag)
  const reply = await answerFresh(context, id, call, scope)
  return withEtag(reply, etag ?? etagOfText(reply.body), condition)
}

/** With `Prefer`, the response is not the state of the resource that the address names. */
function isPreferred(call: Call): boolean {
  return preferredLast(call) !== undefined || preferredWait(call) > 0
}

/** Answers from one snapshot; an empty page of events may wait (decisions 9). */
async function answerFresh(context: Context, id: ReadId, call: Call, scope: Scope): Promise<Reply> {
  const operation = operationOf(id)
  const { db, settings } = context
  const { run, looksUp } = reads[id] as Read<ReadId> & { run: ReadHandler }
  const lookUp =
    looksUp && (() => faultsOf(db.read((tx) => looksUp(inScope(tx, scope.id), call), { scope: scope.id })))
  const parsed = await parseRequest(operation, call, { kind: 'empty' }, lookUp)
  const how = { scope: scope.id, long: isLongRead(id, parsed) }
  const ask = (): Promise<Answered> => db.read((tx) => run(readContext(tx, scope, context), parsed), how)
  const last = operation.waits ? preferredLast(call) : undefined
  if (last) return answerLast(context, parsed, scope, last)
  const seconds = operation.waits ? preferredWait(call) : 0
  if (seconds > 0) return answerWaiting(context, ask as () => Promise<string>, call, scope, seconds)
  const result = await ask()
  if (id === 'listEvents') return jsonReply(200, result as string, eventsLink(call, result as string))
  if (typeof result === 'string')
    return jsonReply(operation.success, result, operation.namesPartner && partnerHeader(scope, settings))
  const paging = parsed.query as Paging
  if ('docs' in result) return pageReply(id, call, paging, result)
  const next = result.hasMore ? paging.page + 1 : null
  return jsonReply(operation.success, result.text, linkHeader(id, call, { next, previous: null }))
}

function partnerHeader(
  { partner_name, environment }: Scope,
  { closeGraceDays, repeatsDays }: Settings,
): Record<string, string> {
  const days = `close_grace_days=${closeGraceDays};repeats_days=${repeatsDays}`
  return { 'custody-partner': `${encodeURIComponent(partner_name)};environment=${environment};${days}` }
}

async function answerLast(
  context: Context,
  { query }: Parsed,
  scope: Scope,
  last: PreferredLast,
): Promise<Reply> {
  const { type } = query as QueryOf<'listEvents'>
  const ask = (tx: Tx) => listLastEvents(readContext(tx, scope, context), { ...last, type })
  const text = await context.db.read(ask, { scope: scope.id, long: true })
  const before = last.before === undefined ? '' : `; before="${last.before}"`
  return jsonReply(200, text, { 'preference-applied': `last=${last.count}${before}` })
}

async function answerWaiting(
  context: Context,
  ask: () => Promise<string>,
  call: Call,
  scope: Scope,
  seconds: number,
): Promise<Reply> {
  const text = await askUntil(context, ask, scope.id, seconds * 1000, call.signal)
  // The key may have been revoked meanwhile.
  await authenticate(context, call)
  return jsonReply(200, text, { 'preference-applied': `wait=${seconds}`, ...eventsLink(call, text) })
}

function eventsLink(call: Call, page: string): Record<string, string> {
  const next = nextCursor(page)
  return next === null ? {} : { link: `<${linkTo('listEvents', call, 'starting_after', next)}>; rel="next"` }
}

/** The envelope of 2.13; its links keep the query's other parameters, and are also sent as a header. */
function pageReply(id: OperationId, call: Call, paging: Paging, listing: Listing<unknown>): Reply {
  const last = Math.max(1, Math.ceil(listing.total / paging.page_size))
  const next = paging.page < last ? paging.page + 1 : null
  const previous = paging.page > 1 ? Math.min(paging.page - 1, last) : null
  const link = (page: number | null): string =>
    page === null ? 'null' : JSON.stringify(linkTo(id, call, 'page', page))
  const body =
    `{"page_size":${paging.page_size},"count":${listing.docs.length},"total":${listing.total},` +
    `"current_page_number":${paging.page},"next_page_number":${next},"next":${link(next)},` +
    `"previous":${link(previous)},"previous_page_number":${previous},"results":[${listing.docs.join(',')}]}`
  return jsonReply(200, body, linkHeader(id, call, { next, previous }))
}

function linkHeader(
  id: OperationId,
  call: Call,
  pages: { next: number | null; previous: number | null },
): Record<string, string> {
  const links: string[] = []
  if (pages.next !== null) links.push(`<${linkTo(id, call, 'page', pages.next)}>; rel="next"`)
  if (pages.previous !== null) links.push(`<${linkTo(id, call, 'page', pages.previous)}>; rel="prev"`)
  return links.length > 0 ? { link: links.join(', ') } : {}
}

function linkTo(id: OperationId, call: Call, place: string, value: number | string): string {
  const query = new URLSearchParams(call.query.filter(([name]) => name !== place) as Array<[string, string]>)
  query.set(place, String(value))
  return `${call.baseUrl}${pathOf(id, call.params)}?${query}`
}

// Loaded on demand: it is half of the code for reads, and few commands use it.
const fulfillments = once(() => import('../../engine/fulfillments/fulfillments.ts'))
const transfers = once(() => import('../../engine/fulfillments/transfers.ts'))
const clock = once(() => import('../../engine/sandbox/clock.ts'))
const subscriptions = once(() => import('../../engine/webhooks/subscriptions.ts'))
export const loadReads = () => Promise.all([fulfillments(), transfers(), clock(), subscriptions()])

function later<Id extends ReadId>(
  id: Id,
  load: () => Promise<{ [name in Id]: Handler<NoInfer<Id>> }>,
): Handler<NoInfer<Id>> {
  return async (view, input) => (await load())[id](view, input)
}

/** `list`: a result may have a hundred kilobytes (an order of a thousand items). `many rows`: scans more than it returns. */
type Cost = 'few rows' | 'list' | 'list of small results' | 'many rows'
type Read<Id extends ReadId> = {
  run: Handler<Id>
  cost: Cost
  /** The answer changes with time, or without a claim of its scope, so the entity tag is computed from it. */
  changesByItself?: true
  /** Finds errors that the schema cannot express, if there are others. Throws them. */
  looksUp?: (tx: ScopedTx, call: Call) => Promise<void>
}

const reads: { readonly [Id in ReadId]: Read<Id> } = {
  findSlabs: { run: findSlabs, cost: 'many rows' },
  getClock: { run: later('getClock', clock), cost: 'few rows', changesByItself: true },
  getFulfillment: { run: later('getFulfillment', fulfillments), cost: 'few rows' },
  getItem: { run: getItem, cost: 'few rows' },
  getItemSummary: { run: getItemSummary, cost: 'few rows' },
  getManifest: { run: getManifest, cost: 'list' },
  getManifestReport: { run: getManifestReport, cost: 'list' },
  getProduct: { run: getProduct, cost: 'few rows' },
  getSubscription: { run: later('getSubscription', subscriptions), cost: 'few rows' },
  getTransfer: { run: later('getTransfer', transfers), cost: 'few rows' },
  listDeliveries: { run: later('listDeliveries', subscriptions), cost: 'many rows', changesByItself: true },
  listEvents: { run: listEvents, cost: 'list', looksUp: rejectUnknownCursor },
  listFulfillments: { run: later('listFulfillments', fulfillments), cost: 'list' },
  listIntakes: { run: listIntakes, cost: 'list' },
  listInventory: { run: listInventory, cost: 'list of small results' },
  listItems: { run: listItems, cost: 'list of small results' },
  listManifests: { run: listManifests, cost: 'list of small results' },
  listProducts: { run: listProducts, cost: 'list of small results' },
  listSubscriptions: { run: later('listSubscriptions', subscriptions), cost: 'list of small results' },
  listTransfers: { run: later('listTransfers', transfers), cost: 'list' },
}

/** A cursor that is not a UUID is an error of the schema. */
async function rejectUnknownCursor(tx: ScopedTx, { query }: Call): Promise<void> {
  const [, cursor = ''] = query.find(([name]) => name === 'starting_after') ?? []
  if (isUuid(cursor)) await placeOf(tx, cursor)
}

/** How many rows an index scan passes in about a millisecond. */
const rowsPassedMax = 2_500
/** Filters and orders for which an index has the rows of a list next to each other. */
const indexed: ReadonlySet<string> = new Set([
  'status',
  'sort_by',
  'sort_dir',
  'starting_after',
] satisfies QueryName[])

type QueryName = { [Id in ReadId]: keyof QueryOf<Id> }[ReadId]

/** Other reads block the serving thread for a few milliseconds: handing one to another thread would double its cost. */
function isLongRead(id: ReadId, { query }: Parsed): boolean {
  const { cost } = reads[id]
  if (cost === 'many rows' || cost === 'few rows') return cost === 'many rows'
  const { page = 1, page_size, ...others } = query as { page?: number; page_size: number }
  if (page * page_size > rowsPassedMax) return true
  if (page_size > pageSizeDefault && cost === 'list') return true
  return Object.entries(others).some(([name, value]) => value !== undefined && !indexed.has(name))
}

/** Wakes on this process's signal and also polls, since other processes write to the same database. */
async function askUntil(
  { signal, eventPollMs = 1000 }: Context,
  ask: () => Promise<string>,
  scopeId: number,
  ms: number,
  abort: AbortSignal | undefined,
): Promise<string> {
  const deadline = runtime.uptime() + ms
  let woken = Promise.withResolvers<void>()
  const stop = signal.subscribe((woke) => {
    if (woke === scopeId) woken.resolve()
  })
  try {
    for (;;) {
      woken = Promise.withResolvers()
      const answer = await ask()
      const left = deadline - runtime.uptime()
      if (!isEmptyEventPage(answer) || left <= 0 || abort?.aborted) return answer
      await pause(Math.min(left, eventPollMs), abort, woken)
    }
  } finally {
    stop()
  }
}

async function pause(
  ms: number,
  abort: AbortSignal | undefined,
  { promise: woken, resolve }: PromiseWithResolvers<void>,
): Promise<void> {
  const wake = (): void => resolve()
  const callOff = runtime.after(ms, wake)
  abort?.addEventListener('abort', wake, { once: true })
  await woken
  callOff()
  abort?.removeEventListener('abort', wake)
}
