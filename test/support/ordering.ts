import type { BodyInput } from '../../src/contract/operations.ts'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { fulfillmentCsv } from './fulfillment-csv.ts'
import type { Harness } from './harness.ts'
import { address } from './orders.ts'

/** The error of a call, which must fail. */
export function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no rejection',
    (error: unknown) => error,
  )
}

/** A row that orders units of BOX. */
export function boxes(external_ref: string | undefined, quantity = 1, more: object = {}) {
  return { sku: 'BOX', quantity, ...(external_ref !== undefined && { external_ref }), ...more }
}

/** Ways to order from the running test's harness, with `Custody-Repeats: skip` unless stated otherwise. */
export function ordering(harness: () => Pick<Harness, 'client'>) {
  return {
    async upload(rows: object[], repeats: 'skip' | 'allow' = 'skip') {
      const form = { file: fulfillmentCsv(rows) }
      return (await harness().client.importFulfillmentsCsv({ form, repeats })).data
    },
    async order(given: Partial<BodyInput<'createFulfillment'>>, repeats: 'skip' | 'allow' = 'skip') {
      const body = { shipping_address: address, ...given }
      const { status, data, headers } = await harness().client.createFulfillment({ body, repeats })
      return { status, data, repeated: headers['custody-repeated'] }
    },
    async orders(): Promise<Fulfillment[]> {
      return (await harness().client.listFulfillments({ query: { page_size: 250 } })).data.results
    },
  }
}
