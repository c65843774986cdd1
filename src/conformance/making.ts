import { stringify } from 'csv-stringify/sync'
import type { ItemStatus } from '../contract/enums.ts'
import type { BodyInput, QueryInput, ResultOf } from '../contract/operations.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { Fulfillment, Transfer } from '../contract/resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../contract/resources/item.ts'
import type {
  Manifest,
  ManifestLineCreate,
  ManifestReport,
  ManifestWithLines,
} from '../contract/resources/manifest.ts'
import type { Product } from '../contract/resources/product.ts'
import { answered, each, present } from './check.ts'
import type { Seen, World } from './world.ts'

// Test data. Every reference, SKU, and certificate is new, so a sandbox in use works as well as an empty one.

type Arrival = BodyInput<'createIntakes'>['items'][number]
type LineInput = Partial<ManifestLineCreate>

export const noUuid = '019aaaaa-0000-7000-8000-000000000000'
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

export async function arrive(
  world: World,
  items: Arrival[] = [slabArrival(world)],
  manifest_id?: string,
): Promise<IntakeEvent[]> {
  const body = manifest_id === undefined ? { items } : { items, manifest_id }
  return (await world.client.createIntakes({ body })).data.intakes
}

export async function arriveOne(
  world: World,
  item: Arrival = slabArrival(world),
  manifest_id?: string,
): Promise<IntakeEvent> {
  return present((await arrive(world, [item], manifest_id))[0], 'the intake')
}

export async function advance(world: World, { qid }: { qid: string }, to_status: ItemStatus): Promise<Item> {
  return (await world.client.advanceItem({ params: { qid }, body: { to_status } })).data
}

async function shelved(world: World, arrival: Arrival): Promise<Item> {
  return advance(world, await arriveOne(world, arrival), 'available')
}

export function availableSlab(world: World): Promise<Item> {
  return shelved(world, slabArrival(world))
}

export async function twoSlabs(world: World): Promise<[Item, Item]> {
  return [await availableSlab(world), await availableSlab(world)]
}

export function unitOf({ sku }: Pick<Product, 'sku'>): Arrival {
  return { type: 'product', sku }
}

export async function availableUnits(world: World, product: Product, count: number): Promise<Item[]> {
  const items: Item[] = []
  for (let n = 0; n < count; n++) items.push(await shelved(world, unitOf(product)))
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

export function slabLine(world: World, more: LineInput = {}): ManifestLineCreate {
  const cert_number = world.unique('CERT')
  return { description: `Slab ${cert_number}`, grader: 'PSA', cert_number, quantity: 1, ...more }
}

export function slabOf(world: World, line: ManifestLineCreate, condition_flags: string[] = []): Arrival {
  return slabArrival(world, { cert_number: present(line.cert_number, 'the certificate'), condition_flags })
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

export async function manifestWithLines(world: World, id: string): Promise<ManifestWithLines> {
  return (await world.client.getManifest({ params: { manifest_id: id } })).data
}

export async function close(world: World, { id }: { id: string }): Promise<ManifestWithLines> {
  return (await world.client.closeManifest({ params: { manifest_id: id } })).data
}

export async function reportOf(world: World, manifest_id: string): Promise<ManifestReport> {
  return (await world.client.getManifestReport({ params: { manifest_id } })).data
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

export function cancel(world: World, { id }: { id: string }): Promise<Seen> {
  return world.ask('cancelFulfillment', { params: { fulfillment_id: id } })
}

export async function sellBack(world: World, items: ReadonlyArray<{ qid: string }>): Promise<Transfer> {
  const qids = items.map(({ qid }) => qid)
  return (await world.client.requestTransfer({ body: { qids } })).data
}

export async function endTransfer(
  world: World,
  { id }: { id: string },
  end: 'completed' | 'declined' | 'cancelled',
): Promise<Transfer> {
  const params = { transfer_id: id }
  if (end === 'cancelled') return (await world.client.cancelTransfer({ params })).data
  return (await world.client.resolveTransfer({ params, body: { to_status: end } })).data
}

export async function listed(world: World, query: QueryInput<'listItems'>): Promise<string[]> {
  return each((await world.client.listItems({ query })).data.results, 'qid')
}

export async function itemOf(world: World, { qid }: { qid: string }): Promise<Item> {
  return (await world.client.getItem({ params: { qid } })).data
}

type Fields = ReadonlyArray<readonly [string, string]>

export function csvBytes(...rows: string[]): Uint8Array {
  return Buffer.from(`${rows.join('\n')}\n`)
}

export function upload(bytes: Uint8Array, fields: Fields = []) {
  return { form: { fields, files: [{ name: 'file', bytes }] } }
}

export function manifestUpload(world: World, bytes: Uint8Array, fields: Fields = []) {
  return upload(bytes, [['reference', world.unique('PO')], ...fields])
}

export async function submitCsv(
  world: World,
  file: Uint8Array | string,
): Promise<ResultOf<'submitManifestCsv'>> {
  const seen = await world.ask('submitManifestCsv', manifestUpload(world, Buffer.from(file)))
  return answered(seen, 201).body as ResultOf<'submitManifestCsv'>
}

export async function importProducts(world: World, file: Uint8Array): Promise<ResultOf<'importProductsCsv'>> {
  return answered(await world.ask('importProductsCsv', upload(file)), 200)
    .body as ResultOf<'importProductsCsv'>
}

const orderColumns = [
  ...['qid', 'sku', 'quantity', 'recipient_name', 'street', 'street_2', 'city', 'state', 'zip', 'country'],
  ...['external_ref', 'special_instructions', 'deliver_by'],
]

export type OrderCells = Readonly<Record<string, string | undefined>>

/** Each row goes to `address` unless it names another. */
export function orderFile(rows: readonly OrderCells[]): Uint8Array {
  const whole = rows.map((cells) => ({ ...address, ...cells }))
  return Buffer.from(stringify(whole, { columns: orderColumns, header: true }))
}

export async function importOrders(
  world: World,
  rows: readonly OrderCells[],
): Promise<ResultOf<'importFulfillmentsCsv'>> {
  const seen = await world.ask('importFulfillmentsCsv', upload(orderFile(rows)))
  return answered(seen, 200).body as ResultOf<'importFulfillmentsCsv'>
}

/** As in `2 validation_error`. */
export function rowCodes(errors: readonly CsvRowError[]): string[] {
  return errors.map(({ row, code }) => `${row} ${code}`)
}

/** As in `2 sku quantity`. */
export function rowFields(errors: readonly CsvRowError[]): string[] {
  return errors.map(({ row, fields }) => [row, ...Object.keys(fields)].join(' '))
}

/** A host name that never resolves, so deliveries go nowhere. */
export const webhookUrl = 'https://hooks.partner.example/custody'

type Subscription = ResultOf<'createSubscription'>

/** Deletes the subscription afterwards. */
export async function subscribed(
  world: World,
  task: (subscription: Subscription) => Promise<void>,
): Promise<void> {
  const body = { url: webhookUrl, event_types: ['transfer.declined' as const] }
  const { data } = await world.client.createSubscription({ body })
  try {
    await task(data)
  } finally {
    await world.ask('deleteSubscription', { params: { subscription_id: data.id } })
  }
}
