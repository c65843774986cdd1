import type { WarehouseArrival } from '../../src/engine/intake/arrivals.ts'
import { type Act, type Make, type Making, recent, someSlabs } from './making.ts'
import type { Step } from './warehouse.ts'

/** Sometimes a step is done out of turn. */
const outOfTurn = 0.15

const orderSteps: readonly Step[] = [
  'pick',
  'pack',
  'verify',
  'label',
  'queue',
  'ship',
  'deliver',
  'return',
  'issue',
  'resolve-issue',
]

/** The state of things after a step. */
export const nextStep: Partial<Record<Step, Step>> = {
  digitize: 'store',
  pick: 'pack',
  pack: 'verify',
  verify: 'label',
  label: 'queue',
  queue: 'ship',
  ship: 'deliver',
  deliver: 'return',
  issue: 'resolve-issue',
  'resolve-issue': 'ship',
}

/** The warehouse's commands: arrivals, and the steps of items, orders, and transfers. */
export const warehouseKinds = {
  receiveArrivals: {
    weight: 22,
    make: (m) => {
      const { known, random } = m
      const manifestId = random.is(0.4) ? (recent(known.manifests, random) ?? null) : null
      const sku = recent(known.catalog, random)
      const arrivals: WarehouseArrival[] = someSlabs(m)
      if (sku !== undefined && random.is(0.4)) arrivals.push({ type: 'product', sku, condition_flags: [] })
      return { id: 'warehouse', request: { step: 'intake', manifestId, arrivals } }
    },
  },
  stepItems: { weight: 30, make: (m) => stepped(m, m.known.qids, ['digitize', 'store'], 3) },
  stepOrders: { weight: 30, make: (m) => stepped(m, m.known.fulfillments, orderSteps, 2) },
  settleTransfer: { weight: 5, make: (m) => stepped(m, m.known.transfers, ['complete', 'decline'], 1) },
} as const satisfies Record<string, { weight: number; make: Make }>

/** The next step of one whose turn it is, and of others at the same step. */
function stepped(
  { known, random }: Making,
  names: readonly string[],
  possible: readonly Step[],
  most: number,
): Act | undefined {
  const waiting = names.slice(-60).filter((one) => known.next.has(one))
  const isInTurn = waiting.length > 0 && !random.is(outOfTurn)
  const name = isInTurn ? random.pick(waiting) : recent(names, random)
  if (name === undefined) return undefined
  const step = (isInTurn && known.next.get(name)) || random.pick(possible)
  const others = waiting.filter((one) => known.next.get(one) === step)
  const taken = [...new Set([name, ...others])].slice(0, 1 + random.int(most))
  return { id: 'warehouse', request: { step, names: taken } }
}
