import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/service-error.ts'
import { refsAtOnceMax } from '../../../contract/limits.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { isPerhapsLacking } from '../../connection/operation-support.ts'
import { walkPages } from '../../connection/paging.ts'
import { isThere } from '../journal/still-there.ts'
import type { OrderedRows } from './ordered-rows.ts'

type Orders = Map<string, Fulfillment[]>

type ByReference = {
  /** `unknown`: those of the references that have rows which the journal does not know, where it is all that can be asked. */
  find(refs: readonly string[], unknown: readonly string[]): Promise<Orders>
  /** Whether the target lists orders. */
  isListed(): Promise<boolean>
}

/** Characters of one call's references: an address has no room for more. */
const refsTextMax = 3000

/** Single questions at the same time. */
const atOnce = 8

/** Orders that are looked at for one call's references, the newest first. */
const ordersMax = 10_000

/** Finds orders by reference: a hundred a call, one by one where the target takes no more, of the journal where it lists none. */
export function ordersByReference(client: Client, journal: OrderedRows): ByReference {
  let total: Promise<number | undefined> | undefined
  let isByMany = true
  const countOnce = (): Promise<number | undefined> => {
    total ??= countOrders(client)
    return total
  }
  const listed = async (refs: readonly string[]): Promise<Fulfillment[]> => {
    if (isByMany) {
      try {
        return await listOrders(client, { external_refs: JSON.stringify(refs) })
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 400) throw error
        isByMany = false
      }
    }
    const found: Fulfillment[] = []
    for (let from = 0; from < refs.length; from += atOnce) {
      const some = refs.slice(from, from + atOnce).map((external_ref) => listOrders(client, { external_ref }))
      found.push(...(await Promise.all(some)).flat())
    }
    return found
  }
  return {
    isListed: async () => (await countOnce()) !== undefined,
    async find(refs, unknown) {
      const orders: Orders = new Map()
      const count = await countOnce()
      if (count === 0) return orders
      for (const some of callsOf(count === undefined ? unknown : refs)) {
        const found = count === undefined ? journaled(client, journal, some) : listed(some)
        for (const order of await found) {
          const ref = order.external_ref ?? ''
          const those = orders.get(ref)
          if (those) those.push(order)
          else orders.set(ref, [order])
        }
      }
      return orders
    },
  }
}

/** Whether the target lists orders; otherwise only the journal knows references, and must record them. */
export async function listsOrders(client: Client): Promise<boolean> {
  return (await countOrders(client)) !== undefined
}

/** Undefined if the target does not list orders. */
async function countOrders(client: Client): Promise<number | undefined> {
  try {
    return (await client.listFulfillments({ query: { page_size: 1 } })).data.total
  } catch (error) {
    if (await isPerhapsLacking(client, error)) return undefined
    throw error
  }
}

/** Newest first. */
export async function listOrders(
  client: Client,
  filter: { external_ref?: string; external_refs?: string },
): Promise<Fulfillment[]> {
  const found: Fulfillment[] = []
  const fetch = (page: number, page_size: number) =>
    client.listFulfillments({ query: { ...filter, page, page_size } })
  const keyOf = ({ id }: Fulfillment): string => id
  for await (const { results } of walkPages({ fetch, keyOf, limit: ordersMax })) found.push(...results)
  return found
}

/** Each order of the journal that the target still has. */
async function journaled(
  client: Client,
  journal: OrderedRows,
  refs: readonly string[],
): Promise<Fulfillment[]> {
  const found: Fulfillment[] = []
  for (const id of refs.flatMap((ref) => journal.idsOf(ref)))
    await isThere(async () => {
      found.push((await client.getFulfillment({ params: { fulfillment_id: id } })).data)
    })
  return found
}

function* callsOf(refs: readonly string[]): Generator<string[]> {
  let some: string[] = []
  let length = 0
  for (const ref of refs) {
    const more = encodeURIComponent(ref).length + 8
    if (some.length > 0 && (some.length === refsAtOnceMax || length + more > refsTextMax)) {
      yield some
      some = []
      length = 0
    }
    some.push(ref)
    length += more
  }
  if (some.length > 0) yield some
}
