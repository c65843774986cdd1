import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { runtime } from '../../runtime/runtime.ts'
import { CliError } from '../base/cli-error.ts'
import { arrivalsOf, dateIn, manifestOf } from './seed-bodies.ts'
import { catalogCsv, seedPlan } from './seed-data.ts'
import type { SeedArrival, SeedFulfillment, SeedManifest, SeedTransfer } from './seed-plan.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/** The identifiers so far, which the service makes. */
type Known = { manifests: Map<string, string>; qids: Map<string, string>; orders: Map<string, string> }

type Step = { daysAgo: number; run: (client: Client, known: Known, key: string, now: Date) => Promise<void> }

type Seeded = {
  products: number
  manifests: number
  items: number
  fulfillments: number
  transfers: number
}

/** A time before everything in the plan: a scope's clock never goes back, so a database with a history must begin in the past. */
export function beforeSeed(now: number): number {
  return now - 60 * dayMs
}

/** Whether all of the sample data are there: the order that the last step makes. */
export async function isSeeded(client: Client): Promise<boolean> {
  const external_ref = seedPlan.fulfillments.at(-1)?.external_ref
  return (await client.listFulfillments({ query: { external_ref, page_size: 1 } })).data.total > 0
}

/**
 * The time from which a run that was cut off counted its days; undefined where none was. With it `seed` sends the same
 * requests with the same keys, and only what is missing is added. Throws `conflict` where that was too long ago: the service
 * may have forgotten the keys, and would add everything once more.
 */
export async function cutOff(client: Client): Promise<number | undefined> {
  const [first] = seedPlan.manifests
  if (first === undefined) return undefined
  const { data } = await client.listManifests({ query: { reference: first.reference, page_size: 1 } })
  const [sent] = data.results
  if (sent === undefined) return undefined
  const began = Date.parse(sent.expected_arrival_start ?? '') - first.arrives_from_days * dayMs
  if (runtime.clock() - began < 2 * dayMs) return began
  throw new CliError(
    'conflict',
    'Only a part of the sample data is there, and it is too old to be completed.',
    {
      hint: 'Begin with an empty sandbox; your own is made anew with: custody sandbox reset',
    },
  )
}

/**
 * Carries out fixtures/seed.json through the client. With `setClock` the target's clock is set back before each step, so
 * that the sandbox has a month of history; without, everything happens now. For a target that has not been
 * seeded, or with the `now` of a run that was cut off.
 */
export async function seed(
  client: Client,
  setClock?: (now: number) => void,
  now = runtime.clock(),
): Promise<Seeded> {
  const steps = timeline()
  const known: Known = { manifests: new Map(), qids: new Map(), orders: new Map() }
  const timeOf = (daysAgo: number, index: number): number =>
    now - daysAgo * dayMs - (steps.length + 1 - index) * minuteMs
  setClock?.(timeOf(steps[0]?.daysAgo ?? 0, -1))
  const products = await client.importProductsCsv({
    form: { file: Buffer.from(catalogCsv) },
    idempotencyKey: 'seed-catalog',
  })
  for (const [index, step] of steps.entries()) {
    setClock?.(timeOf(step.daysAgo, index))
    await step.run(client, known, `seed-${index}`, new Date(now))
  }
  setClock?.(now)
  return {
    products: products.data.totals.created,
    manifests: known.manifests.size,
    items: known.qids.size,
    fulfillments: seedPlan.fulfillments.length,
    transfers: seedPlan.transfers.length,
  }
}

/** All steps, the oldest first, then as the plan lists them. */
function timeline(): Step[] {
  const { manifests, arrivals, closes, fulfillments, transfers } = seedPlan
  const steps: Step[] = [
    ...manifests.map((manifest) => ({ daysAgo: manifest.days_ago, run: submits(manifest) })),
    ...arrivals.map((arrival) => ({ daysAgo: arrival.days_ago, run: receives(arrival) })),
    ...closes.map(({ days_ago, manifest }) => ({ daysAgo: days_ago, run: closesManifest(manifest) })),
    ...fulfillments.flatMap(fulfillmentSteps),
    ...transfers.flatMap(transferSteps),
  ]
  // Sorting is stable, so equals keep their order.
  return steps.sort((a, b) => b.daysAgo - a.daysAgo)
}

function submits(manifest: SeedManifest): Step['run'] {
  return async (client, known, idempotencyKey, now) => {
    const body = manifestOf(manifest, now)
    const { data } = await client.submitManifest({ body, idempotencyKey })
    known.manifests.set(manifest.reference, data.id)
  }
}

function receives(arrival: SeedArrival): Step['run'] {
  return async (client, known, idempotencyKey) => {
    const manifest_id = idOf(known.manifests, arrival.manifest)
    const items = arrivalsOf(arrival)
    const { data } = await client
      .createIntakes({ body: { manifest_id, items }, idempotencyKey })
      // Its time ran out before this step: a run that was cut off still ends, with these items on no manifest.
      .catch(
        onConflict(() => client.createIntakes({ body: { items }, idempotencyKey: `${idempotencyKey}-late` })),
      )
    for (const [index, { item, qid }] of data.intakes.entries()) {
      known.qids.set(
        item.type === 'product' ? `${item.sku} ${qid}` : `${item.grader} ${item.cert_number}`,
        qid,
      )
      if (arrival.to_status === 'received') continue
      const body = { to_status: arrival.to_status }
      await client.advanceItem({ params: { qid }, body, idempotencyKey: `${idempotencyKey}-${index}` })
    }
  }
}

function closesManifest(reference: string): Step['run'] {
  return async (client, known, idempotencyKey) => {
    const params = { manifest_id: idOf(known.manifests, reference) }
    await client.closeManifest({ params, idempotencyKey }).catch(onConflict(async () => undefined))
  }
}

function onConflict<T>(otherwise: () => Promise<T>): (error: unknown) => Promise<T> {
  return async (error) => {
    if (error instanceof ServiceError && error.code === 'state_conflict') return otherwise()
    throw error
  }
}

function fulfillmentSteps(order: SeedFulfillment): Step[] {
  const { days_ago, steps, slabs, deliver_by_days, ...sent } = order
  const creates: Step['run'] = async (client, known, idempotencyKey, now) => {
    const qids = slabs?.map((slab) => idOf(known.qids, slab))
    const deliver_by = deliver_by_days === undefined ? null : dateIn(now, deliver_by_days)
    const body = { ...sent, deliver_by, ...(qids && { qids }) }
    const { data } = await client.createFulfillment({ body, idempotencyKey })
    known.orders.set(order.external_ref, data.id)
  }
  const advances = steps.map(
    ({ days_ago, ...body }): Step => ({
      daysAgo: days_ago,
      run: async (client, known, idempotencyKey) => {
        const fulfillment_id = idOf(known.orders, order.external_ref)
        await client.advanceFulfillment({ params: { fulfillment_id }, body, idempotencyKey })
      },
    }),
  )
  return [{ daysAgo: days_ago, run: creates }, ...advances]
}

function transferSteps({ days_ago, external_ref, slabs, resolve }: SeedTransfer): Step[] {
  const requests: Step['run'] = async (client, known, idempotencyKey) => {
    const body = { external_ref, qids: slabs.map((slab) => idOf(known.qids, slab)) }
    const { data } = await client.requestTransfer({ body, idempotencyKey })
    known.orders.set(external_ref, data.id)
  }
  const first = { daysAgo: days_ago, run: requests }
  if (resolve === undefined) return [first]
  const resolves: Step['run'] = async (client, known, idempotencyKey) => {
    const transfer_id = idOf(known.orders, external_ref)
    await client.resolveTransfer({
      params: { transfer_id },
      body: { to_status: resolve.to_status },
      idempotencyKey,
    })
  }
  return [first, { daysAgo: resolve.days_ago, run: resolves }]
}

function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the sample data name ${name} before it exists`)
  return id
}
