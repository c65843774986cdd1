import type { Operation, Specification } from './linearizable.ts'
import type { Done, History } from './run.ts'

/** Operations on one order, transfer, or manifest; every answer shows its status. */
export type StatusCall =
  | { f: 'create' }
  | { f: 'read' }
  /** Ends in a status, or is rejected. */
  | { f: 'move'; to: readonly string[] }
export type StatusResult = { status: string } | { rejected: true }
type ObjectHistory = {
  object: string
  kind: Kind
  operations: Array<Operation<StatusCall, StatusResult> & { process: string; name: string }>
}

type Kind = 'order' | 'transfer' | 'manifest'

const edges: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  order: {
    pending: ['processing', 'cancelled', 'exception'],
    processing: ['shipped', 'cancelled', 'exception'],
    shipped: ['delivered', 'exception', 'returned'],
    exception: ['processing', 'shipped', 'returned'],
    delivered: ['returned'],
  },
  transfer: { requested: ['completed', 'declined', 'cancelled'] },
  manifest: { submitted: ['receiving', 'reconciled'], receiving: ['reconciled'] },
}
const everyStatus: Readonly<Record<Kind, readonly string[]>> = {
  order: [...new Set(Object.values(edges.order).flat())],
  transfer: [...new Set(Object.values(edges.transfer).flat())],
  manifest: [...new Set(Object.values(edges.manifest).flat())],
}
const first: Readonly<Record<Kind, string>> = {
  order: 'pending',
  transfer: 'requested',
  manifest: 'submitted',
}
/** What the passing of time alone does to an object. */
const byItself: Readonly<Record<Kind, readonly string[]>> = {
  order: [],
  transfer: [],
  manifest: ['reconciled'],
}

/** The rules of the specification for one object of a kind: it does not exist, or it has a status. */
export function statusRules(kind: Kind): Specification<string, StatusCall, StatusResult> {
  const reach = (from: string): Set<string> => {
    const found = new Set([from])
    for (const status of found) for (const next of edges[kind][status] ?? []) found.add(next)
    return found
  }
  return {
    initial: '',
    key: (state) => state,
    step(state, call, result) {
      if (call.f === 'create') return state === '' ? [first[kind]] : []
      const isRejected = result !== null && 'rejected' in result
      if (call.f === 'read') {
        if (result === null) return [state]
        return isRejected ? (state === '' ? [state] : []) : result.status === state ? [state] : []
      }
      if (state === '') return []
      const reached = reach(state)
      // Rejected: as far as the status tells, it could not go there.
      if (isRejected) return [state]
      const ends = call.to.filter((status) => reached.has(status) && status !== state)
      if (result === null) return ends
      // A stage may change without its status.
      return reached.has(result.status) ? [result.status] : []
    },
  }
}

type Body = Record<string, unknown> & {
  id?: string
  status?: string
}

/** The operations of a partner's history by the objects that they concern. */
export function objectHistories({ done, final }: History): ObjectHistory[] {
  const found = new Map<string, ObjectHistory>()
  const add = (kind: Kind, object: string, one: Done, call: StatusCall, more: object = {}): void => {
    const history = found.get(object) ?? { object, kind, operations: [] }
    found.set(object, history)
    history.operations.push({ ...seenOf(one, call), ...more })
  }
  const holders = holdersIn(final)
  for (const one of done.filter(({ isStrange }) => !isStrange)) {
    const { act } = one
    switch (act.id) {
      case 'createFulfillment':
      case 'requestTransfer':
      case 'submitManifest': {
        const kind =
          act.id === 'createFulfillment' ? 'order' : act.id === 'requestTransfer' ? 'transfer' : 'manifest'
        const good = one.issues.find(({ status }) => status !== undefined && status < 300)
        // Repeated: it shows what an earlier one created.
        if (good) add(kind, bodyOf(good.text)!.id!, one, { f: good.status === 200 ? 'read' : 'create' })
        break
      }
      case 'cancelFulfillment':
        add('order', act.request.params.fulfillment_id, one, { f: 'move', to: ['cancelled'] })
        break
      case 'advanceFulfillment': {
        const { to_status, to_stage } = act.request.body
        const to = to_status === undefined || to_stage !== undefined ? ['processing'] : [to_status]
        add('order', act.request.params.fulfillment_id, one, { f: 'move', to })
        break
      }
      case 'getFulfillment':
        add('order', act.request.params.fulfillment_id, one, { f: 'read' })
        break
      case 'cancelTransfer':
        add('transfer', act.request.params.transfer_id, one, { f: 'move', to: ['cancelled'] })
        break
      case 'resolveTransfer':
        add('transfer', act.request.params.transfer_id, one, { f: 'move', to: [act.request.body.to_status] })
        break
      case 'getTransfer':
        add('transfer', act.request.params.transfer_id, one, { f: 'read' })
        break
      case 'closeManifest':
        add('manifest', act.request.params.manifest_id, one, { f: 'move', to: ['reconciled'] })
        break
      case 'getManifest':
        add('manifest', act.request.params.manifest_id, one, { f: 'read' })
        break
      case 'warehouse':
      case 'advanceItem':
        for (const { kind, object, more } of perhapsMoved(act, holders))
          add(kind, object, one, { f: 'move', to: everyStatus[kind] }, more)
        break
    }
  }
  return [...found.values()].flatMap(whole)
}

type Holder = { kind: Kind; object: string }
type Holders = { transfers: ReadonlySet<string>; byQid: ReadonlyMap<string, Holder[]> }

/** The orders and transfers of each item. */
function holdersIn({ fulfillments, transfers }: History['final']): Holders {
  const byQid = new Map<string, Holder[]>()
  const add = (kind: Kind, object: string, qids: readonly string[]): void => {
    for (const qid of qids) byQid.set(qid, [...(byQid.get(qid) ?? []), { kind, object }])
  }
  for (const { id, qids } of fulfillments) add('order', id, qids)
  for (const { id, qids } of transfers) add('transfer', id, qids)
  return { transfers: new Set(transfers.map(({ id }) => id)), byQid }
}

/** What an operation may have moved, whatever was heard of it. */
function perhapsMoved(act: Done['act'], { transfers, byQid }: Holders): Array<Holder & { more: object }> {
  if (act.id === 'advanceItem') {
    // It also moves whatever holds the item, which the answer does not show.
    const more = { result: null, isOptional: true }
    return (byQid.get(act.request.params.qid) ?? []).map((holder) => ({ ...holder, more }))
  }
  // The warehouse's staff have no keys: a command without an answer may have been carried out.
  if (act.id !== 'warehouse' || act.request.step === 'intake') return []
  return act.request.names.map((name: string) => {
    return {
      kind: transfers.has(name) ? 'transfer' : 'order',
      object: name,
      more: { end: null, result: null },
    }
  })
}

/** Judges objects whose creation was heard; arrivals and time may affect a manifest at any moment. */
function whole(history: ObjectHistory): ObjectHistory[] {
  const { kind, operations } = history
  if (!operations.some(({ call }) => call.f === 'create')) return []
  const never = { begin: 0, end: null, result: null, process: 'time', name: 'by itself' }
  const more = kind === 'manifest' ? [['receiving'], byItself.manifest] : []
  return [
    {
      ...history,
      operations: [...operations, ...more.map((to) => ({ ...never, call: { f: 'move', to } as const }))],
    },
  ]
}

function seenOf(one: Done, call: StatusCall): ObjectHistory['operations'][number] {
  const { issues, deed, act } = one
  const isKept = ({ status }: Done['issues'][number]): boolean =>
    status !== undefined && (status < 300 || status === 409 || call.f === 'read')
  const ended = issues.filter(isKept).sort((a, b) => a.ended - b.ended)[0]
  const begin = Math.min(...issues.map(({ begun }) => begun))
  const answer = ended && (ended.status! < 300 ? bodyOf(ended.text) : undefined)
  const result: StatusResult | null =
    ended === undefined ? null : answer?.status ? { status: answer.status } : { rejected: true }
  return {
    process: `partner ${deed.partner}`,
    name: `${act.id} ${deed.no}`,
    call,
    begin,
    end: ended?.ended ?? null,
    result,
  }
}

function bodyOf(text: string): Body | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Body)
}
