import type { ItemStatus } from '../../src/contract/enums.ts'
import type { AdvanceState } from '../../src/domain/advance.ts'

/** An item and its fulfillment as one word, e.g. `in_fulfillment standard processing picked`. */
type Place = string

/**
 * The fewest steps from a state to a status by a second reading of ruling 7, as rewriting rules over words, searched level by
 * level; exceptions and stages are steps like all others here. Infinity if there is no way.
 */
export function fewestSteps(start: AdvanceState, to: ItemStatus): number {
  let level = new Set([placeOf(start)])
  for (let steps = 1; steps <= 12; steps++) {
    level = new Set([...level].flatMap(nextPlaces))
    if ([...level].some((place) => place.split(' ')[0] === to)) return steps
  }
  return Number.POSITIVE_INFINITY
}

function placeOf({ status, fulfillment }: AdvanceState): Place {
  if (fulfillment === null || status === 'delivered' || status === 'withdrawn') return status
  const stage = fulfillment.processing_stage ?? fulfillment.interrupted_stage ?? 'unpicked'
  return `${status} ${fulfillment.type} ${fulfillment.status} ${stage}`
}

const alone: Record<string, Place[]> = {
  received: ['digitized'],
  digitized: ['available'],
  available: [
    'in_fulfillment standard pending unpicked',
    'in_fulfillment withdrawal pending unpicked',
    'pending_transfer',
  ],
  pending_transfer: ['available', 'released'],
  delivered: ['received'],
  withdrawn: ['received'],
  released: [],
}

const stages = ['unpicked', 'picked', 'packed', 'verified', 'labeled', 'queued_for_carrier']

function nextPlaces(place: Place): Place[] {
  const [item, type, status, stage] = place.split(' ')
  if (type === undefined || stage === undefined) return alone[place] ?? []
  const end = type === 'standard' ? 'delivered' : 'withdrawn'
  const inside = `in_fulfillment ${type}`
  const outside = `in_transit ${type}`
  switch (`${item} ${status}`) {
    case 'in_fulfillment pending':
      return ['available', `${inside} processing unpicked`, `${inside} exception unpicked`]
    case 'in_fulfillment processing':
      return [
        ...(stage === 'unpicked' ? ['available'] : []),
        ...stages.slice(stages.indexOf(stage) + 1).map((later) => `${inside} processing ${later}`),
        `${inside} exception ${stage}`,
        `${outside} shipped unpicked`,
      ]
    case 'in_fulfillment exception':
      return [`${inside} processing ${stage}`, `${outside} shipped unpicked`]
    case 'in_transit shipped':
      return [end, 'received', `${outside} exception unpicked`]
    case 'in_transit exception':
      return [`${outside} shipped unpicked`, 'received']
    default:
      throw new Error(`the model does not know ${place}`)
  }
}
