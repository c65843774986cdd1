import { type Client, ServiceError } from '../../client/client.ts'
import type { FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import { countriesServedByDefault } from '../../domain/fulfillments/destinations.ts'
import {
  type FulfillmentContext,
  type FulfillmentRow,
  orderOfRow,
  type SentOrder,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import { type OrderStock, tryOrder, tryRows } from '../../domain/fulfillments/order-trial.ts'
import { Rejection } from '../../domain/rejection.ts'
import type { Session } from '../command.ts'
import { scopeTime } from '../connection/scope-time.ts'
import { askTarget } from '../find/ask-target.ts'
import { stockFor } from '../find/order-stock.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import { everyCountry } from './import-kind.ts'
import type { ImportOptions } from './import-options.ts'
import { repeatsOf, type SendHow } from './repeats.ts'
import { goodRows, type Planned, type Sending } from './send-chunk.ts'

/** A stand-in for the service, which answers as it would and carries out nothing. With --offline it checks dates alone. */
export async function tryTarget(
  session: Session,
  planned: Planned,
  options: ImportOptions,
): Promise<Pick<Sending, 'client' | 'repeats'>> {
  const { io } = session
  const ask = async (client: Client) => {
    const target = await session.target()
    const { repeats } = await repeatsOf(session, target, options)
    const now = await scopeTime(target, io.now())
    const orders = ordersOf(planned)
    const countriesServed = target.isService ? everyCountry : countriesServedByDefault
    if (target.isService) noticeFarCountries(session, orders)
    return { now, repeats, countriesServed, stock: await stockFor(session, client, orders, now) }
  }
  const found = options.offline ? undefined : await askTarget(session, ask)
  const unknown = { now: io.now(), repeats: 'skip', countriesServed: everyCountry, stock: undefined } as const
  const { now, repeats, countriesServed, stock } = found ?? unknown
  const today = new Date(now).toISOString().slice(0, 10)
  const client = trialClient({ today, countriesServed }, stock)
  return { client, repeats: { keyOf: () => '', repeats, retries: false } }
}

/** A service does not publish which countries it serves. */
function noticeFarCountries(session: Session, orders: readonly SentOrder[]): void {
  const countries = orders.flatMap(({ draft }) => draft.shipping_address?.country ?? [])
  const far = [...new Set(countries)].filter((country) => !countriesServedByDefault.has(country)).sort()
  if (far.length > 0)
    session.notice(`Only the import can tell whether the service ships to ${far.join(', ')}.`)
}

function ordersOf(planned: Planned): SentOrder[] {
  return planned.chunks.flatMap((chunk) => {
    const { good, accepted } = goodRows(planned, rowsOfChunk(planned, chunk))
    const isGood = new Set(good.map(({ row }) => row))
    return accepted.flatMap(({ row, value }) => (isGood.has(row) ? orderOfRow(value as FulfillmentRow) : []))
  })
}

function trialClient(context: FulfillmentContext, stock: OrderStock | undefined): Client {
  const answer = (data: unknown, headers = {}) => ({ data, text: '', status: 200, headers })
  const trial = {
    importFulfillmentsCsv: async ({ form, repeats }: SendHow & { form: { file: Uint8Array } }) =>
      answer(tryRows(form.file, context, stock, repeats === 'skip')),
    createFulfillment: async ({ body, repeats }: SendHow & { body: FulfillmentCreate }) => {
      try {
        const repeated = tryOrder({ ...body, type: 'standard' }, context, stock, repeats === 'skip')
        return answer(repeated ?? {}, repeated && { 'custody-repeated': 'true' })
      } catch (error) {
        if (!(error instanceof Rejection)) throw error
        const { code, message, extra } = error
        throw new ServiceError({ status: 409, headers: {}, body: JSON.stringify({ code, message, extra }) })
      }
    },
  }
  return trial as unknown as Client
}
