import type { OperationId } from '../../contract/operations.ts'
import { answered, holds, rejected, same } from '../check.ts'
import { Unseen } from '../outcomes.ts'
import { type Seen, seenOf } from '../service.ts'
import { entriesOf, noQid, noUuid, seenBy, unitOf, type World } from '../world.ts'
import { offered, paramsOf } from './every-operation.ts'

export const keyRules = entriesOf({
  '5-1 X-API-Key has a key in the format sk_*': async (world) => {
    const { key } = world.subject
    holds(key.startsWith('sk_'), 'the key begins with sk_', `${key.slice(0, 3)}…`)
    answered(await world.ask('listProducts'), 200)
    const bearer = { 'x-api-key': undefined, authorization: `Bearer ${key}` }
    rejected(await world.ask('listProducts', { headers: bearer }), 401, 'invalid_api_key')
  },
  '5-2 a missing or invalid key is a 401 invalid_api_key': seenBy('D1-2'),
  '5-4 a key of the other environment is a 401 environment_mismatch': async (world) => {
    const { otherEnvironmentKey } = world.subject
    if (otherEnvironmentKey === undefined) throw new Unseen('no key of the other environment was given')
    const headers = { 'x-api-key': otherEnvironmentKey }
    rejected(await world.ask('listProducts', { headers }), 401, 'environment_mismatch')
  },
  "5-5 another partner's resource gets the same 404 as one that does not exist": async (world) => {
    world.stranger()
    for (const [id, params] of await everyResource(world)) await hidden(world, id, params)
  },
  "5-6 lists, counts, and events contain nothing of another partner's": async (world) => {
    const stranger = world.stranger()
    const { sku } = await world.newProduct()
    await world.arriveOne(unitOf({ sku }))
    const { reference } = await world.newManifest()
    same((await stranger.listProducts({ query: { sku } })).data.total, 0, 'products')
    same((await stranger.listItems({ query: { sku } })).data.total, 0, 'items')
    same((await stranger.listInventory({ query: { sku } })).data.total, 0, 'levels')
    same((await stranger.listManifests({ query: { reference } })).data.total, 0, 'manifests')
    const theirs = await world.client.listEvents({ query: { page_size: 1 } })
    const cursor = { starting_after: theirs.data.next_starting_after ?? '' }
    const key = { 'x-api-key': world.subject.strangerKey }
    rejected(await world.ask('listEvents', { query: cursor, headers: key }), 400, 'validation_error')
  },
  '5-7 sandbox operations are a 404 in production': async (world) => {
    const { production } = world.subject
    if (!production) throw new Unseen('no production service was given')
    for (const id of offered(world, (operation) => operation.sandboxOnly)) {
      const headers = { 'x-api-key': production.key }
      const call = world.callOf(id, { params: paramsOf(id), headers })
      rejected(seenOf(id, await production.transport(call)), 404, 'not_found')
    }
  },
  "5-8 another partner's subscription gets the same 404 as one that does not exist": (world) => {
    world.stranger()
    return world.subscribed(async ({ id }) => {
      const operations: OperationId[] = ['getSubscription', 'updateSubscription', 'deleteSubscription']
      operations.push('listDeliveries', 'testSubscription', 'rotateSubscriptionSecret')
      for (const operation of operations) await hidden(world, operation, { subscription_id: id })
    })
  },
})

type Params = Record<string, string>

/** Every operation on an existing resource, with the path parameters of one that belongs to the first partner. */
async function everyResource(world: World): Promise<Array<[OperationId, Params]>> {
  const { product_id } = await world.newProduct()
  const manifest = { manifest_id: (await world.newManifest()).id }
  const slab = await world.availableSlab()
  const fulfillment = { fulfillment_id: (await world.order([slab])).id }
  const transfer = { transfer_id: (await world.sellBack([await world.availableSlab()])).id }
  const resources: Array<[OperationId, Params]> = [
    ['getProduct', { product_id }],
    ['getItem', { qid: slab.qid }],
    ['advanceItem', { qid: slab.qid }],
    ['getManifest', manifest],
    ['getManifestReport', manifest],
    ['closeManifest', manifest],
    ['receiveManifest', manifest],
    ['getFulfillment', fulfillment],
    ['cancelFulfillment', fulfillment],
    ['advanceFulfillment', fulfillment],
    ['getTransfer', transfer],
    ['cancelTransfer', transfer],
    ['resolveTransfer', transfer],
  ]
  const isOffered = new Set(offered(world, () => true))
  return resources.filter(([id]) => isOffered.has(id))
}

const bodies: Partial<Record<OperationId, object>> = {
  advanceItem: { to_status: 'delivered' },
  advanceFulfillment: { to_status: 'shipped' },
  receiveManifest: { outcome: 'complete' },
  resolveTransfer: { to_status: 'completed' },
}

/** Throws `Unmet` unless another partner gets the same 404 for a resource as for one that does not exist. */
async function hidden(world: World, id: OperationId, params: Params): Promise<void> {
  const theirs = await asStranger(world, id, params)
  const none = await asStranger(world, id, absent(params))
  rejected(theirs, 404, 'not_found')
  same(theirs.text, none.text, `${id}: the body`)
}

function asStranger(world: World, id: OperationId, params: Params): Promise<Seen> {
  const headers = { 'x-api-key': world.subject.strangerKey }
  return world.ask(id, { params, headers, json: bodies[id] })
}

function absent(params: Params): Params {
  return Object.fromEntries(Object.keys(params).map((name) => [name, name === 'qid' ? noQid : noUuid]))
}
