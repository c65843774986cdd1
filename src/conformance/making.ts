import type { ItemStatus } from '../contract/enums.ts'
import type { BodyInput } from '../contract/operations.ts'
import type { Fulfillment, Transfer } from '../contract/resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../contract/resources/item.ts'
import type { Manifest, ManifestLineCreate, ManifestWithLines } from '../contract/resources/manifest.ts'
import type { Product } from '../contract/resources/product.ts'
import { present } from './expectations.ts'
import type { World } from './world.ts'

// Data of the run's own: every reference, SKU and certificate is new, so that a used sandbox is as good as an empty one.

type Arrival = BodyInput<'createIntakes'>['items'][number]
type LineInput = Partial<ManifestLineCreate>

/** A uuid that no service has given out. */
export const noUuid = '019aaaaa-0000-7000-8000-000000000000'
/** A QID of the right form that belongs to nobody. */
export const noQid = 'Q-0000-0000-0000'

export function slabArrival(world: World, more: Partial<Arrival> = {}): Arrival {
  return {
    type: 'graded_slab',
    name: `Charizard ${world.unique('CARD')}`,
    grader: 'PSA',
    grade: '9',
    cert_number: world.unique('CERT'),
    set: 'Base Set',
    card_number: '4/102',
    ...more,
  }
}

/** Arrivals as the warehouse takes them in; one slab where nothing is said. */
export async function arrive(
  world: World,
  items: Arrival[] = [slabArrival(world)],
  manifest_id?: string,
): Promise<IntakeEvent[]> {
  const body = manifest_id === undefined ? { items } : { items, manifest_id }
  return (await world.client.createIntakes({ body })).data.intakes
}

export async function advance(world: World, { qid }: { qid: string }, to_status: ItemStatus): Promise<Item> {
  return (await world.client.advanceItem({ params: { qid }, body: { to_status } })).data
}

/** Slabs on the shelf. */
export async function availableSlabs(world: World, count = 1): Promise<Item[]> {
  const items: Item[] = []
  for (let n = 0; n < count; n++) {
    const [intake] = await arrive(world)
    items.push(await advance(world, present(intake, 'the intake'), 'available'))
  }
  return items
}

export async function availableSlab(world: World): Promise<Item> {
  return present((await availableSlabs(world))[0], 'the slab')
}

export async function twoSlabs(world: World): Promise<[Item, Item]> {
  return [await availableSlab(world), await availableSlab(world)]
}

/** Units of a catalog product on the shelf, in the order of their intake. */
export async function availableUnits(world: World, product: Product, count: number): Promise<Item[]> {
  const items: Item[] = []
  for (let n = 0; n < count; n++) {
    const [intake] = await arrive(world, [{ type: 'product', sku: product.sku }])
    items.push(await advance(world, present(intake, 'the intake'), 'available'))
  }
  return items
}

export function productBody(
  world: World,
  more: Partial<BodyInput<'createProduct'>> = {},
): BodyInput<'createProduct'> {
  return {
    name: 'Elite Trainer Box',
    sku: world.unique('SKU'),
    dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
    weight: { value: 30, unit: 'oz' },
    ...more,
  }
}

export async function newProduct(
  world: World,
  more: Partial<BodyInput<'createProduct'>> = {},
): Promise<Product> {
  return (await world.client.createProduct({ body: productBody(world, more) })).data
}

/** A slab's line, known by its certificate. */
export function slabLine(world: World, more: LineInput = {}): ManifestLineCreate {
  const cert_number = world.unique('CERT')
  return { description: `Slab ${cert_number}`, grader: 'PSA', cert_number, quantity: 1, ...more }
}

export function manifestBody(
  world: World,
  lines: BodyInput<'submitManifest'>['lines'] = [slabLine(world)],
): BodyInput<'submitManifest'> {
  return { reference: world.unique('PO'), lines }
}

export async function newManifest(
  world: World,
  lines?: BodyInput<'submitManifest'>['lines'],
  more: Partial<BodyInput<'submitManifest'>> = {},
): Promise<Manifest> {
  return (await world.client.submitManifest({ body: { ...manifestBody(world, lines), ...more } })).data
}

/** An open manifest with its lines as they stand. */
export async function manifestWithLines(world: World, id: string): Promise<ManifestWithLines> {
  return (await world.client.getManifest({ params: { manifest_id: id } })).data
}

export async function close(world: World, { id }: { id: string }): Promise<ManifestWithLines> {
  return (await world.client.closeManifest({ params: { manifest_id: id } })).data
}

export const address = {
  recipient_name: 'Ada Park',
  street: '500 Congress Ave',
  street_2: 'Suite 4',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}

export async function order(
  world: World,
  items: ReadonlyArray<{ qid: string }>,
  more: Partial<BodyInput<'createFulfillment'>> = {},
): Promise<Fulfillment> {
  const qids = items.map(({ qid }) => qid)
  return (await world.client.createFulfillment({ body: { qids, shipping_address: address, ...more } })).data
}

export async function advanceOrder(
  world: World,
  { id }: { id: string },
  body: BodyInput<'advanceFulfillment'>,
): Promise<Fulfillment> {
  return (await world.client.advanceFulfillment({ params: { fulfillment_id: id }, body })).data
}

export async function sellBack(world: World, items: ReadonlyArray<{ qid: string }>): Promise<Transfer> {
  const qids = items.map(({ qid }) => qid)
  return (await world.client.requestTransfer({ body: { qids } })).data
}

export async function itemOf(world: World, { qid }: { qid: string }): Promise<Item> {
  return (await world.client.getItem({ params: { qid } })).data
}

export function csvBytes(...rows: string[]): Uint8Array {
  return Buffer.from(`${rows.join('\n')}\n`)
}

/** The one file of a CSV upload. */
export function upload(bytes: Uint8Array, fields: ReadonlyArray<readonly [string, string]> = []) {
  return { form: { fields, files: [{ name: 'file', bytes }] } }
}
