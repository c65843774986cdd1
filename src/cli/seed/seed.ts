import { type Client, ServiceError } from '../../client/client.ts'
import { dayMs } from '../../contract/limits.ts'
import type { Item } from '../../contract/resources/item.ts'
import { sha256 } from '../../domain/computing.ts'
import type { SeedArrival, SeedFulfillment, SeedManifest, SeedTransfer } from './seed-plan.ts'
import { type Arrival, arrivalsOf, catalogCsv, dateIn, manifestOf, seedPlan } from './seed-plan.ts'

const minuteMs = 60_000

type Known = {
  manifests: Map<string, string>
  qids: Map<string, string>
  orders: Map<string, string>
  /** Items that a customer returned: everything planned for them after their arrival is done. */
  returned: Set<string>
}

/** `isFresh`: the target is empty, so no step looks for earlier results. */
type Run = { client: Client; known: Known; now: () => Promise<number>; isFresh: boolean }
type Step = { daysAgo: number; run: (run: Run, key: string) => Promise<void> }

export type Seeded = {
  products: number
  manifests: number
  items: number
  fulfillments: number
  transfers: number
}

/** Precedes the whole plan: a scope's clock never goes back, so a database with a history must begin in the past. */
export function beforeSeed(now: number): number {
  return now - 60 * dayMs
}

/** Looks for the order that the last step creates. */
export async function isSeeded(client: Client): Promise<boolean> {
  const external_ref = seedPlan.fulfillments.at(-1)?.external_ref
  return (await client.listFulfillments({ query: { external_ref, page_size: 1 } })).data.total > 0
}

/**
 * `now` is the scope's time, read by each step that needs it, because the clock may move during a run. `setClock` sets the clock
 * back before each step, to create a month of history; without it, everything happens now. Each step looks for its result first,
 * so that the next run completes one that was cut off. Changes by others stay.
 */
export async function seed(
  client: Client,
  now: () => Promise<number>,
  setClock?: (now: number) => void,
): Promise<Seeded> {
  const end = await now()
  const steps = timeline()
  const known: Known = { manifests: new Map(), qids: new Map(), orders: new Map(), returned: new Set() }
  const run: Run = { client, known, now, isFresh: !(await isBegun(client)) }
  const timeOf = (daysAgo: number, index: number): number =>
    end - daysAgo * dayMs - (steps.length + 1 - index) * minuteMs
  setClock?.(timeOf(steps[0]?.daysAgo ?? 0, -1))
  const products = await client.importProductsCsv({
    form: { file: Buffer.from(catalogCsv) },
    idempotencyKey: 'seed-catalog',
  })
  for (const [index, step] of steps.entries()) {
    setClock?.(timeOf(step.daysAgo, index))
    await step.run(run, `seed-${index}`)
  }
  setClock?.(end)
  return {
    products: products.data.totals.created,
    manifests: known.manifests.size,
    items: known.qids.size,
    fulfillments: seedPlan.fulfillments.length,
    transfers: seedPlan.transfers.length,
  }
}

export async function isBegun(client: Client): Promise<boolean> {
  return (await findManifest(client, seedPlan.manifests[0]?.reference)) !== undefined
}

function timeline(): Step[] {
  const { manifests, arrivals, closes, fulfillments, transfers } = seedPlan
  const steps: Step[] = [
    ...manifests.map((manifest) => ({ daysAgo: manifest.days_ago, run: submits(manifest) })),
    ...arrivals.map((arrival) => ({ daysAgo: arrival.days_ago, run: receives(arrival) })),
    ...closes.map(({ days_ago, manifest }) => ({ daysAgo: days_ago, run: closesManifest(manifest) })),
    ...fulfillments.flatMap(fulfillmentSteps),
    ...transfers.flatMap(transferSteps),
  ]
  // The sort is stable, so the steps of one day keep the plan's order.
  return steps.sort((a, b) => b.daysAgo - a.daysAgo)
}

function submits(manifest: SeedManifest): Step['run'] {
  return async ({ client, known, now, isFresh }, key) => {
    const submit = async () => {
      const body = manifestOf(manifest, await now())
      return (await client.submitManifest({ body, idempotencyKey: keyOf(key, body) })).data
    }
    const earlier = isFresh ? undefined : await findManifest(client, manifest.reference)
    known.manifests.set(manifest.reference, (earlier ?? (await submit())).id)
  }
}

async function findManifest(client: Client, reference: string | undefined) {
  return (await client.listManifests({ query: { reference, page_size: 1 } })).data.results[0]
}

function receives(arrival: SeedArrival): Step['run'] {
  return async (run, key) => {
    const { client, known } = run
    const arrived = run.isFresh ? [] : await arrivedItems(run, arrival)
    const items = missingOf(arrivalsOf(arrival), arrived)
    if (items.length > 0) {
      const body = { manifest_id: idOf(known.manifests, arrival.manifest), items }
      const { data } = await client
        .createIntakes({ body, idempotencyKey: keyOf(key, body) })
        // If the manifest has closed since an interrupted run, its items arrive without a manifest.
        .catch(onConflict(() => client.createIntakes({ body: { items }, idempotencyKey: keyOf(key, items) })))
      arrived.push(...data.intakes.map(({ item }) => item))
    }
    for (const item of arrived) {
      known.qids.set(item.type === 'product' ? `${item.sku} ${item.qid}` : itemName(item), item.qid)
      if (item.status !== 'received' || arrival.to_status === 'received' || known.returned.has(item.qid))
        continue
      const request = { params: { qid: item.qid }, body: { to_status: arrival.to_status } }
      await unlessChanged(client.advanceItem({ ...request, idempotencyKey: `${key}-${item.qid}` }))
    }
  }
}

/** Each slab and each SKU is in only one arrival of the plan. */
async function arrivedItems({ client, known }: Run, { items, manifest }: SeedArrival): Promise<Item[]> {
  const arrived = new Map<string, Item>()
  for (const { slab, sku, quantity = 1 } of items) {
    if (slab === undefined) {
      const units = await client.listItems({ query: { sku, page_size: quantity } })
      for (const item of units.data.results) arrived.set(item.qid, item)
      continue
    }
    const query = { cert_number: slab.split(' ')[1], page_size: 1 }
    const { results, total } = (await client.listIntakes({ query })).data
    const [intake] = results
    if (intake && total > 1) known.returned.add(intake.qid)
    if (intake) arrived.set(intake.qid, (await client.getItem({ params: { qid: intake.qid } })).data)
  }
  // Units that have left are in no list of items.
  const skus = items.flatMap(({ sku }) => sku ?? [])
  const query = { manifest_id: idOf(known.manifests, manifest) }
  if (skus.length > 0)
    for await (const { item } of client.listIntakes.all({ query }))
      if (skus.includes(item.sku) && !arrived.has(item.qid)) arrived.set(item.qid, item)
  return [...arrived.values()]
}

function missingOf(arrivals: Arrival[], arrived: readonly Item[]): Arrival[] {
  const left = arrived.map(itemName)
  return arrivals.filter((arrival) => {
    const at = left.indexOf(itemName(arrival))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

function itemName({ type, sku, grader, cert_number }: Arrival | Item): string {
  return type === 'product' ? String(sku) : `${grader} ${cert_number}`
}

function closesManifest(reference: string): Step['run'] {
  return async ({ client, known }, idempotencyKey) => {
    const params = { manifest_id: idOf(known.manifests, reference) }
    await unlessChanged(client.closeManifest({ params, idempotencyKey }))
  }
}

function onConflict<T>(otherwise: () => Promise<T>): (error: unknown) => Promise<T> {
  return async (error) => {
    if (error instanceof ServiceError && error.code === 'state_conflict') return otherwise()
    throw error
  }
}

function unlessChanged<T>(change: Promise<T>): Promise<T | undefined> {
  return change.catch(onConflict<T | undefined>(async () => undefined))
}

function fulfillmentSteps(order: SeedFulfillment): Step[] {
  const { days_ago, steps, slabs, deliver_by_days, ...sent } = order
  const { external_ref } = order
  const find = async ({ client, isFresh }: Run) =>
    isFresh
      ? undefined
      : (await client.listFulfillments({ query: { external_ref, page_size: 1 } })).data.results[0]
  const creates: Step['run'] = async (run, key) => {
    const { client, known, now } = run
    const qids = slabs?.map((slab) => idOf(known.qids, slab))
    const create = async () => {
      const deliver_by = deliver_by_days === undefined ? null : dateIn(await now(), deliver_by_days)
      const body = { ...sent, deliver_by, ...(qids && { qids }) }
      return client.createFulfillment({ body, idempotencyKey: keyOf(key, body) })
    }
    const { id } = (await find(run)) ?? (await unlessChanged(create()))?.data ?? {}
    if (id !== undefined) known.orders.set(external_ref, id)
  }
  const advances = steps.map(({ days_ago, ...body }, index): Step => {
    const advance: Step['run'] = async (run, idempotencyKey) => {
      const fulfillment_id = run.known.orders.get(external_ref)
      const status = (await find(run))?.status
      const isDone = steps.slice(index).some(({ to_status }) => to_status === status)
      if (fulfillment_id === undefined || isDone) return
      await unlessChanged(run.client.advanceFulfillment({ params: { fulfillment_id }, body, idempotencyKey }))
    }
    return { daysAgo: days_ago, run: advance }
  })
  return [{ daysAgo: days_ago, run: creates }, ...advances]
}

function transferSteps({ days_ago, external_ref, slabs, resolve }: SeedTransfer): Step[] {
  const requests: Step['run'] = async ({ client, known, isFresh }, key) => {
    const body = { external_ref, qids: slabs.map((slab) => idOf(known.qids, slab)) }
    const request = () => client.requestTransfer({ body, idempotencyKey: keyOf(key, body) })
    const earlier = isFresh ? undefined : await findTransfer(client, external_ref)
    const { id } = earlier ?? (await unlessChanged(request()))?.data ?? {}
    if (id !== undefined) known.orders.set(external_ref, id)
  }
  const first = { daysAgo: days_ago, run: requests }
  if (resolve === undefined) return [first]
  const resolves: Step['run'] = async ({ client, known }, idempotencyKey) => {
    const transfer_id = known.orders.get(external_ref)
    if (transfer_id === undefined) return
    const body = { to_status: resolve.to_status }
    await unlessChanged(client.resolveTransfer({ params: { transfer_id }, body, idempotencyKey }))
  }
  return [first, { daysAgo: resolve.days_ago, run: resolves }]
}

async function findTransfer(client: Client, external_ref: string) {
  for await (const transfer of client.listTransfers.all({}))
    if (transfer.external_ref === external_ref) return transfer
  return undefined
}

/** A different body, as in a run on another day, gets a different key. */
function keyOf(key: string, body: unknown): string {
  return `${key}-${sha256(JSON.stringify(body)).slice(0, 16)}`
}

function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the sample data name ${name} before it exists`)
  return id
}
