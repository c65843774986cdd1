import { type Act, type Make, ofKnown, ofManifest, ofOrder, ofTransfer, recent } from './making.ts'

const ofSubscription = ofKnown((known) => known.subscriptions, 'subscription_id')

/** All reads, and the operations on subscriptions and the clock. */
export const lookups = {
  createSubscription: {
    weight: 1,
    make: ({ known, random, no }) => {
      if (known.subscriptions.length >= 3) return undefined
      const event_types = random.is(0.5)
        ? allTypes
        : (['transfer.requested', 'item.intake.completed'] as const)
      const url = `https://receiver-${random.int(2)}.test/${no}`
      return { id: 'createSubscription', request: { body: { url, event_types: [...event_types] } } }
    },
  },
  getItem: { weight: 6, make: ({ known, random }) => withQid(recent(known.qids, random)) },
  getFulfillment: {
    weight: 4,
    make: (m) => ofOrder(m, (params) => ({ id: 'getFulfillment', request: { params } })),
  },
  getTransfer: {
    weight: 2,
    make: (m) => ofTransfer(m, (params) => ({ id: 'getTransfer', request: { params } })),
  },
  getManifest: {
    weight: 2,
    make: (m) => ofManifest(m, (params) => ({ id: 'getManifest', request: { params } })),
  },
  getManifestReport: {
    weight: 3,
    make: (m) => ofManifest(m, (params) => ({ id: 'getManifestReport', request: { params } })),
  },
  getProduct: {
    weight: 1,
    make: ({ known, random }) => {
      const product_id = recent(known.products, random)
      return product_id === undefined ? undefined : { id: 'getProduct', request: { params: { product_id } } }
    },
  },
  listItems: {
    weight: 3,
    make: ({ random }) => ({ id: 'listItems', request: { query: { page: 1 + random.int(3) } } }),
  },
  listIntakes: { weight: 1, make: () => ({ id: 'listIntakes', request: {} }) },
  findSlabs: {
    weight: 1,
    make: () => ({ id: 'findSlabs', request: { query: { cert_numbers: '["48201934"]' } } }),
  },
  listManifests: { weight: 1, make: () => ({ id: 'listManifests', request: {} }) },
  listProducts: { weight: 1, make: () => ({ id: 'listProducts', request: {} }) },
  listFulfillments: { weight: 1, make: () => ({ id: 'listFulfillments', request: {} }) },
  listTransfers: { weight: 1, make: () => ({ id: 'listTransfers', request: {} }) },
  listInventory: { weight: 2, make: () => ({ id: 'listInventory', request: {} }) },
  getItemSummary: { weight: 3, make: () => ({ id: 'getItemSummary', request: {} }) },
  listEvents: {
    weight: 4,
    make: ({ known, random }) => {
      const headers = random.is(0.3) ? { prefer: 'wait=2' } : undefined
      return { id: 'listEvents', request: { query: { starting_after: known.events.at(-1) }, headers } }
    },
  },
  getClock: { weight: 1, make: () => ({ id: 'getClock', request: {} }) },
  getOpenApi: { weight: 1, make: () => ({ id: 'getOpenApi', request: {} }) },
  listSubscriptions: { weight: 1, make: () => ({ id: 'listSubscriptions', request: {} }) },
  getSubscription: {
    weight: 1,
    make: (m) => ofSubscription(m, (params) => ({ id: 'getSubscription', request: { params } })),
  },
  updateSubscription: {
    weight: 1,
    make: (m) =>
      ofSubscription(m, (params) => {
        const body = m.random.is(0.5)
          ? { active: m.random.is(0.7) }
          : { url: `https://receiver-${m.random.int(2)}.test/new` }
        return { id: 'updateSubscription', request: { params, body } }
      }),
  },
  deleteSubscription: {
    weight: 1,
    make: (m) => ofSubscription(m, (params) => ({ id: 'deleteSubscription', request: { params } })),
  },
  rotateSubscriptionSecret: {
    weight: 1,
    make: (m) =>
      ofSubscription(m, (params) => ({ id: 'rotateSubscriptionSecret', request: { params, body: {} } })),
  },
  testSubscription: {
    weight: 1,
    make: (m) => ofSubscription(m, (params) => ({ id: 'testSubscription', request: { params } })),
  },
  listDeliveries: {
    weight: 2,
    make: (m) =>
      ofSubscription(m, (params) => ({
        id: 'listDeliveries',
        request: { params, query: { page_size: 10 } },
      })),
  },
  redeliver: {
    weight: 1,
    make: ({ known, random }) => {
      const params = recent(known.deliveries, random)
      return params && { id: 'redeliver', request: { params } }
    },
  },
  replaySubscription: {
    weight: 1,
    make: (m) =>
      ofSubscription(m, (params) => {
        const starting_after = recent(m.known.events, m.random)
        const body = starting_after === undefined ? { since: '2026-01-01T00:00:00.000Z' } : { starting_after }
        return { id: 'replaySubscription', request: { params, body } }
      }),
  },
  advanceClock: {
    weight: 1,
    make: ({ random }) => ({ id: 'advanceClock', request: { body: { seconds: 1 + random.int(20_000) } } }),
  },
} as const satisfies Record<string, { weight: number; make: Make }>

const allTypes = [
  'item.intake.completed',
  'item.status.changed',
  'fulfillment.status.changed',
  'fulfillment.issue.raised',
  'manifest.reconciliation.completed',
  'transfer.requested',
  'transfer.completed',
  'transfer.declined',
  'transfer.cancelled',
  'fulfillment.returned',
] as const

function withQid(qid: string | undefined): Act | undefined {
  return qid === undefined ? undefined : { id: 'getItem', request: { params: { qid } } }
}
