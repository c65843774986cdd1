import type { Client, Request } from '../../src/client/client.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import type { Arrival } from '../../src/contract/resources/sandbox.ts'
import type { Known } from './known.ts'
import type { Random } from './random.ts'
import { codeText, graderText, type Slab } from './spellings.ts'
import type { WarehouseAct } from './warehouse.ts'

type Told<R> = 'body' extends keyof R ? R & { body: NonNullable<R['body']> } : R
/** A prepared call of the typed client, with the body that its operation can take. */
export type Asking = { [Id in OperationId]: { id: Id; request: Told<Request<Id>> } }[OperationId]
/** A call, or a command of the warehouse. */
export type Act = Asking | WarehouseAct

/** `status` undefined: nobody heard the result. */
export type Answered = { status: number | undefined; text: string; data: unknown }

export type Making = { known: Known; random: Random; no: number; today: string }
/** Undefined: no known resource allows a request yet. */
export type Make = (making: Making) => Act | undefined

export const address = {
  recipient_name: 'A. Buyer',
  street: '1 Main St',
  city: 'Reno',
  state: 'NV',
  zip: '89501',
  country: 'US',
}

export function perform(
  client: Client,
  { id, request }: Asking,
  idempotencyKey: string,
  traceparent: string,
) {
  const call = client[id] as (request: object) => Promise<{ data: unknown; text: string; status: number }>
  const given = request as { headers?: object }
  return call({ ...given, idempotencyKey, headers: { ...given.headers, traceparent } })
}

/** Whether to name a partner's own resources, which do not exist for another partner. */
export function namesSomething(act: Act): boolean {
  if (act.id === 'warehouse') return 'names' in act.request || act.request.manifestId !== null
  const { params, query, body } = act.request as {
    params?: object
    query?: { starting_after?: string }
    body?: { qids?: unknown; manifest_id?: unknown }
  }
  const named = [params, query?.starting_after, body?.qids, body?.manifest_id]
  return act.id === 'importFulfillmentsCsv' || named.some((one) => one !== undefined)
}

/** Makes requests about one of a partner's known resources. */
export function ofKnown<Param extends string>(list: (known: Known) => readonly string[], param: Param) {
  return ({ known, random }: Making, make: (params: Record<Param, string>) => Act) => {
    const id = recent(list(known), random)
    return id === undefined ? undefined : make({ [param]: id } as Record<Param, string>)
  }
}

export const ofManifest = ofKnown((known) => known.manifests, 'manifest_id')
export const ofOrder = ofKnown((known) => known.fulfillments, 'fulfillment_id')
export const ofTransfer = ofKnown((known) => known.transfers, 'transfer_id')

/** Slabs, some of them expected and some damaged. */
export function someSlabs({ known, random, no }: Making): Arrival[] {
  return Array.from({ length: 1 + random.int(3) }, (_, at) => {
    const condition_flags = random.is(0.1) ? (['cracked_case'] as const) : []
    const cert = random.is(0.4) ? recent(known.certs, random) : undefined
    const name = random.is(0.4) ? recent(known.descriptions, random) : undefined
    const slab: Slab = { grader: 'PSA', number: cert ?? `${no}5${at}` }
    const spelt = { grader: graderText(slab, random), cert_number: codeText(slab, random) }
    const grading = { grader: 'PSA', grade: '9', ...(cert ? spelt : { cert_number: slab.number }) }
    return {
      type: 'graded_slab' as const,
      name: name ?? `släb${no}i${at}`,
      ...grading,
      condition_flags: [...condition_flags],
    }
  })
}

/** Mostly one of the latest: races happen where several work at once. */
export function recent<T>(list: readonly T[], random: Random): T | undefined {
  if (list.length === 0) return undefined
  return random.is(0.8) ? list[Math.max(0, list.length - 1 - random.int(12))] : random.pick(list)
}
