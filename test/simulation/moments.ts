import type { Act } from './making.ts'
import { type Model, type Resource, type Version, versionAt } from './model.ts'

type Listed = { total: number; results: Array<Record<string, unknown> & { id: string; status: string }> }
type Answer = Listed & {
  id: string
  by_status: Record<string, number>
  has_more: boolean
  status: string
  totals: Record<string, number>
  lines: Array<{ id: string; received_quantity: number }>
  unexpected: Array<{ qid: string }>
}
/** Whether an entire answer was true at a position of the log. */
type Look = (answer: Answer, place: number, act: Act, model: Model) => boolean

/** The pages that the workload requests (part 4, common rules). */
const pageSize = 25
const gone = new Set(['delivered', 'released', 'withdrawn'])
const onHand = new Set(['received', 'digitized', 'available', 'in_fulfillment', 'pending_transfer'])
const taken = new Set(['in_fulfillment', 'pending_transfer'])

/** A read of several things describes one moment: it never mixes earlier and later states. */
const looks: Partial<Record<Act['id'], Look>> = {
  listItems(answer, place, act, { items }) {
    const held: Version[] = []
    for (const item of items.values()) {
      const one = versionAt(item, place)
      if (one && !gone.has(one.status)) held.push(one)
    }
    if (held.length !== answer.total) return false
    // The latest intake first; of equal times, the item that came last.
    held.reverse().sort((a, b) => (a.intakeAt! < b.intakeAt! ? 1 : a.intakeAt! > b.intakeAt! ? -1 : 0))
    const page = (act.id === 'listItems' && act.request.query?.page) || 1
    return areTexts(answer, held.slice((page - 1) * pageSize, page * pageSize))
  },
  listTransfers(answer, place, _act, { transfers }) {
    const known = latest(transfers, place)
    return (
      known.length === answer.total &&
      areTexts(
        answer,
        known.slice(0, pageSize).map(([, one]) => one),
      )
    )
  },
  listFulfillments(answer, place, _act, { orders }) {
    const known = latest(orders, place)
    const page = known.slice(0, pageSize).map(([id, { status }]) => `${id} ${status}`)
    return (
      known.length === answer.total &&
      `${page}` === `${answer.results.map((one) => `${one.id} ${one.status}`)}`
    )
  },
  listIntakes(answer, place, _act, { intakes }) {
    const known = intakes.filter(({ at }) => at <= place)
    return known.length === answer.total && areTexts(answer, known.slice(-pageSize).reverse())
  },
  listInventory: ({ results }, place, _act, { bySku }) =>
    results.every(({ sku, on_hand, available, allocated }) => {
      const statuses = (bySku.get(String(sku)) ?? []).flatMap((one) => versionAt(one, place)?.status ?? [])
      const count = (is: (status: string) => boolean): number => statuses.filter(is).length
      return (
        on_hand === count((one) => onHand.has(one)) &&
        available === count((one) => one === 'available') &&
        allocated === count((one) => taken.has(one))
      )
    }),
  getItemSummary({ total, by_status }, place, _act, { items }) {
    const counts = new Map<string, number>()
    let all = 0
    for (const item of items.values()) {
      const status = versionAt(item, place)?.status
      if (status === undefined) continue
      counts.set(status, (counts.get(status) ?? 0) + 1)
      all += 1
    }
    const names = [...counts.keys(), ...Object.keys(by_status)]
    return all === total && names.every((name) => (counts.get(name) ?? 0) === (by_status[name] ?? 0))
  },
  listEvents({ results, has_more }, place, act, { log }) {
    const after = act.id === 'listEvents' ? act.request.query?.starting_after : undefined
    const start = after === undefined ? 0 : log.places.get(after)!
    const page = log.texts.slice(start, Math.min(place, start + pageSize))
    return (
      has_more === place > start + pageSize && `${page}` === `${results.map((one) => JSON.stringify(one))}`
    )
  },
  listManifests: ({ results }, place, _act, { closed }) =>
    results.every(({ id, status }) => (status === 'reconciled') === isClosed(closed, id, place)),
  getManifest: ({ id, status }, place, _act, { closed }) =>
    (status === 'reconciled') === isClosed(closed, id, place),
  getManifestReport({ totals, lines, unexpected, status }, place, act, { arrived, closed }) {
    const id = act.id === 'getManifestReport' ? act.request.params.manifest_id : ''
    const came = (arrived.get(id) ?? []).filter(({ at }) => at <= place)
    const onLine = came.filter(({ line }) => line !== null)
    const flagged = onLine.filter(({ isFlagged }) => isFlagged).length
    return (
      totals.matched === onLine.length - flagged &&
      totals.condition_mismatch === flagged &&
      totals.unexpected === came.length - onLine.length &&
      unexpected.length === totals.unexpected &&
      lines.every((line) => line.received_quantity === came.filter((one) => one.line === line.id).length) &&
      (status === 'reconciled') === isClosed(closed, id, place)
    )
  },
}

/** Whether everything read existed at one moment between two positions of the log. */
export function wasAtOnce(
  act: Act,
  answer: Answer,
  [from, to]: readonly [number, number],
  model: Model,
): boolean {
  const look = looks[act.id]
  if (!look) return true
  const { ends } = model.log
  if (look(answer, Math.max(0, from), act, model)) return true
  let at = firstAfter(ends, from)
  for (; at < ends.length && ends[at]! <= to; at++) if (look(answer, ends[at]!, act, model)) return true
  return false
}

function firstAfter(ends: readonly number[], place: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle]! <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Newest first, because identifiers ascend with time. */
function latest(all: ReadonlyMap<string, Resource>, place: number): Array<[string, Version]> {
  const known: Array<[string, Version]> = []
  for (const [id, resource] of all) {
    const one = versionAt(resource, place)
    if (one) known.push([id, one])
  }
  return known.sort(([a], [b]) => (a < b ? 1 : -1))
}

function areTexts({ results }: Listed, known: ReadonlyArray<{ text: string }>): boolean {
  return (
    results.length === known.length && results.every((one, at) => JSON.stringify(one) === known[at]!.text)
  )
}

const isClosed = (closed: ReadonlyMap<string, number>, id: string, place: number): boolean =>
  (closed.get(id) ?? Number.POSITIVE_INFINITY) <= place
