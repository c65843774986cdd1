import type { Environment } from '../../src/contract/enums.ts'
import { type OperationId, operation } from '../../src/contract/operations.ts'
import type { Known } from './known.ts'
import { lookups } from './lookups.ts'
import {
  type Act,
  address,
  type Make,
  type Making,
  ofManifest,
  ofOrder,
  ofTransfer,
  recent,
  someSlabs,
} from './making.ts'
import type { Random } from './random.ts'
import { codeText, graderText, type Slab } from './spellings.ts'
import { warehouseKinds } from './warehouse-kinds.ts'

/** Every operation of the service and every task of the warehouse, with frequency and input. */
export const kinds = {
  submitManifest: { weight: 10, make: (m) => submit(m) },
  submitManifestCsv: {
    weight: 2,
    make: ({ no, known, random }) => {
      known.certs.push(`${no}9`)
      const boxes = Array.from({ length: more(random) }, (_, at) => `more${no}n${at},,,1`)
      const rows = [
        'description,grader,cert_number,quantity',
        `box${no},PSA,${no}9,1`,
        `pile${no},,,3`,
        `bad${no},PSA,,1`,
        ...boxes,
      ]
      return { id: 'submitManifestCsv', request: { form: { reference: `PO-${no}`, file: csv(rows) } } }
    },
  },
  closeManifest: {
    weight: 3,
    make: (m) => ofManifest(m, (params) => ({ id: 'closeManifest', request: { params } })),
  },
  receiveManifest: {
    weight: 12,
    make: (m) =>
      ofManifest(m, (params) => {
        const outcome = m.random.pick(['complete', 'complete', 'short', 'excess', 'damaged'] as const)
        return { id: 'receiveManifest', request: { params, body: { outcome } } }
      }),
  },
  createIntakes: { weight: 10, make: (m) => intakes(m) },
  createProduct: {
    weight: 3,
    make: ({ random, no, known }) => {
      const sku = `SKU-${random.int(40)}`
      known.skus.push(sku)
      const dimensions = { height: 1, length: 2, width: 3, unit: 'in' as const }
      const body = { name: `goods${no}`, sku, dimensions, weight: { value: 1, unit: 'oz' as const } }
      return { id: 'createProduct', request: { body } }
    },
  },
  importProductsCsv: {
    weight: 1,
    make: ({ random, no, known }) => {
      const skus = [random.int(40), 40 + (no % 50), 40 + (no % 50)].map((n) => `SKU-${n}`)
      known.skus.push(...skus)
      skus.push(...Array.from({ length: more(random) }, (_, at) => `SKU-${no}n${at}`))
      const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
      const rows = skus.map((sku) => `goods${no},${sku},1,2,3,in,1,oz`)
      return { id: 'importProductsCsv', request: { form: { file: csv([head, ...rows]) } } }
    },
  },
  createFulfillment: {
    weight: 14,
    make: ({ known, random, no }) => {
      const common = { shipping_address: address, external_ref: `ORD-${no}`, type: kindOfOrder(random) }
      if (known.skus.length > 0 && random.is(0.15))
        return {
          id: 'createFulfillment',
          request: { body: { sku: random.pick(known.skus), quantity: 1, ...common } },
        }
      const qids = someItems(known, random)
      return qids && { id: 'createFulfillment', request: { body: { qids, ...common } } }
    },
  },
  importFulfillmentsCsv: {
    weight: 2,
    make: ({ known, random, no }) => {
      const qids = someItems(known, random, more(random) / 3)
      const rows = qids?.map((qid, at) => `${qid},A. Buyer,1 Main St,Reno,NV,89501,US,ORD-${no}-${at}`)
      const head = 'qid,recipient_name,street,city,state,zip,country,external_ref'
      return rows && { id: 'importFulfillmentsCsv', request: { form: { file: csv([head, ...rows]) } } }
    },
  },
  cancelFulfillment: {
    weight: 4,
    make: (m) => ofOrder(m, (params) => ({ id: 'cancelFulfillment', request: { params } })),
  },
  advanceFulfillment: {
    weight: 12,
    make: (m) =>
      ofOrder(m, (params) => {
        const to_status = m.random.pick([
          'processing',
          'shipped',
          'delivered',
          'delivered',
          'returned',
          'exception',
        ] as const)
        const issue = { code: 'address_invalid', message: 'No such street.' }
        const body = m.random.is(0.1)
          ? { to_stage: 'picked' as const }
          : { to_status, ...(to_status === 'exception' && { issue }) }
        return { id: 'advanceFulfillment', request: { params, body } }
      }),
  },
  requestTransfer: {
    weight: 6,
    make: ({ known, random, no }) => {
      const qids = someItems(known, random)
      return qids && { id: 'requestTransfer', request: { body: { qids, external_ref: `SELL-${no}` } } }
    },
  },
  cancelTransfer: {
    weight: 2,
    make: (m) => ofTransfer(m, (params) => ({ id: 'cancelTransfer', request: { params } })),
  },
  resolveTransfer: {
    weight: 4,
    make: (m) =>
      ofTransfer(m, (params) => {
        const to_status = m.random.pick(['completed', 'declined'] as const)
        return { id: 'resolveTransfer', request: { params, body: { to_status } } }
      }),
  },
  advanceItem: {
    weight: 16,
    make: ({ known, random }) => {
      const to_status = random.pick([
        'available',
        'available',
        'available',
        'delivered',
        'released',
        'received',
      ] as const)
      const qid = recent(known.qids, random)
      return qid === undefined
        ? undefined
        : { id: 'advanceItem', request: { params: { qid }, body: { to_status } } }
    },
  },
  ...lookups,
  ...warehouseKinds,
} as const satisfies Record<string, { weight: number; make: Make }>

export type Kind = keyof typeof kinds

/**
 * The activities in an environment: goods come in and go out through the sandbox's own operations or the warehouse's commands.
 */
export function kindsIn(environment: Environment): Kind[] {
  const isSandbox = environment === 'sandbox'
  return (Object.keys(kinds) as Kind[]).filter((kind) =>
    kind in warehouseKinds ? !isSandbox : isSandbox || !operation(kind as OperationId).sandboxOnly,
  )
}

/** The request of a deed of a kind; undefined if nothing can be requested. */
export function actOf(kind: Kind, making: Making): Act | undefined {
  return kinds[kind].make(making)
}

function submit({ known, random, no, today }: Making): Act {
  const lines = Array.from({ length: 1 + random.int(3) }, (_, at) => {
    const form = random.int(4)
    if (form === 0) {
      known.certs.push(`${no}0${at}`)
      const slab: Slab = { grader: 'PSA', number: `${no}0${at}` }
      const spelt = { grader: graderText(slab, random), cert_number: codeText(slab, random) }
      return { description: `slab${no}n${at}`, ...spelt }
    }
    if (form === 1 && known.products.length > 0)
      return { description: `lot${no}n${at}`, quantity: 1 + random.int(3) }
    known.descriptions.push(`card${no}n${at}`)
    return { description: `card${no}n${at}`, quantity: 1 + random.int(3) }
  })
  const expected_arrival_end = random.is(0.5) ? dateAfter(today, random.int(6)) : null
  return { id: 'submitManifest', request: { body: { reference: `PO-${no}`, lines, expected_arrival_end } } }
}

function intakes(making: Making): Act {
  const { known, random } = making
  const items = someSlabs(making)
  const manifest_id = random.is(0.4) ? recent(known.manifests, random) : undefined
  return {
    id: 'createIntakes',
    request: { body: { items, ...(manifest_id !== undefined && { manifest_id }) } },
  }
}

function kindOfOrder(random: Random): 'standard' | 'withdrawal' {
  return random.is(0.2) ? 'withdrawal' : 'standard'
}

/** Additional rows of a file: sometimes enough for several steps, with other writes in between. */
function more(random: Random): number {
  return random.is(0.3) ? random.int(random.is(0.1) ? 600 : 80) : 0
}

/** If the warehouse has stored any, mostly of those. */
function someItems({ qids: all, stored }: Known, random: Random, others = 0): string[] | undefined {
  const qids = stored.length > 0 && random.is(0.8) ? stored : all
  if (qids.length === 0) return undefined
  return [...new Set(Array.from({ length: 1 + random.int(3) + others }, () => recent(qids, random)!))]
}

function csv(rows: readonly string[]): Uint8Array {
  return Buffer.from(`${rows.join('\n')}\n`)
}

function dateAfter(today: string, days: number): string {
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
}
