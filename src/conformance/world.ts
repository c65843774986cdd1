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
import { responseRule } from './response-rule.ts'
import { readDocument, rejectProduction, type Seen, Service } from './service.ts'
import type { Subject } from './subject.ts'

// Test data. Every reference, SKU, and certificate is new, so a sandbox in use works as well as an empty one.

type Arrival = BodyInput<'createIntakes'>['items'][number]
type Subscription = ResultOf<'createSubscription'>
type LineInput = Partial<ManifestLineCreate>

export const noUuid = '019aaaaa-0000-7000-8000-000000000000'
export const noQid = 'Q-0000-0000-0000'

export function unitOf({ sku }: Pick<Product, 'sku'>): Arrival {
  return { type: 'product', sku }
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

type Fields = ReadonlyArray<readonly [string, string]>

export function csvBytes(...rows: string[]): Uint8Array {
  return Buffer.from(`${rows.join('\n')}\n`)
}

export function upload(bytes: Uint8Array, fields: Fields = []) {
  return { form: { fields, files: [{ name: 'file', bytes }] } }
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

/** The service under test, with ways for a check to create and find its own data. */
export class World extends Service {
  slabArrival(more: Partial<Arrival> = {}): Arrival {
    return {
      type: 'graded_slab',
      name: `Charizard ${this.unique('CARD')}`,
      grader: 'PSA',
      grade: '9',
      cert_number: this.unique('CERT'),
      set: 'Base Set',
      card_number: '4/102',
      ...more,
    }
  }

  async arrive(items: Arrival[] = [this.slabArrival()], manifest_id?: string): Promise<IntakeEvent[]> {
    const body = manifest_id === undefined ? { items } : { items, manifest_id }
    return (await this.client.createIntakes({ body })).data.intakes
  }

  async arriveOne(item: Arrival = this.slabArrival(), manifest_id?: string): Promise<IntakeEvent> {
    return present((await this.arrive([item], manifest_id))[0], 'the intake')
  }

  async advance({ qid }: { qid: string }, to_status: ItemStatus): Promise<Item> {
    return (await this.client.advanceItem({ params: { qid }, body: { to_status } })).data
  }

  async received(arrival: Arrival, status: ItemStatus): Promise<Item> {
    const { item } = await this.arriveOne(arrival)
    return status === 'received' ? item : this.advance(item, status)
  }

  availableSlab(): Promise<Item> {
    return this.received(this.slabArrival(), 'available')
  }

  async twoSlabs(): Promise<[Item, Item]> {
    return [await this.availableSlab(), await this.availableSlab()]
  }

  async units(product: Pick<Product, 'sku'>, ...statuses: ItemStatus[]): Promise<Item[]> {
    const items: Item[] = []
    for (const status of statuses) items.push(await this.received(unitOf(product), status))
    return items
  }

  availableUnits(product: Product, count: number): Promise<Item[]> {
    return this.units(product, ...Array<ItemStatus>(count).fill('available'))
  }

  productBody(more: Partial<BodyInput<'createProduct'>> = {}): BodyInput<'createProduct'> {
    return {
      name: 'Elite Trainer Box',
      sku: this.unique('SKU'),
      dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
      weight: { value: 30, unit: 'oz' },
      ...more,
    }
  }

  async newProduct(more: Partial<BodyInput<'createProduct'>> = {}): Promise<Product> {
    return (await this.client.createProduct({ body: this.productBody(more) })).data
  }

  slabLine(more: LineInput = {}): ManifestLineCreate {
    const cert_number = this.unique('CERT')
    return { description: `Slab ${cert_number}`, grader: 'PSA', cert_number, quantity: 1, ...more }
  }

  slabOf(line: ManifestLineCreate, condition_flags: string[] = []): Arrival {
    return this.slabArrival({ cert_number: present(line.cert_number, 'the certificate'), condition_flags })
  }

  manifestBody(lines: BodyInput<'submitManifest'>['lines'] = [this.slabLine()]): BodyInput<'submitManifest'> {
    return { reference: this.unique('PO'), lines }
  }

  async newManifest(
    lines?: BodyInput<'submitManifest'>['lines'],
    more: Partial<BodyInput<'submitManifest'>> = {},
  ): Promise<Manifest> {
    return (await this.client.submitManifest({ body: { ...this.manifestBody(lines), ...more } })).data
  }

  async manifestWithLines(id: string): Promise<ManifestWithLines> {
    return (await this.client.getManifest({ params: { manifest_id: id } })).data
  }

  async close({ id }: { id: string }): Promise<ManifestWithLines> {
    return (await this.client.closeManifest({ params: { manifest_id: id } })).data
  }

  async reportOf(manifest_id: string): Promise<ManifestReport> {
    return (await this.client.getManifestReport({ params: { manifest_id } })).data
  }

  async order(
    items: ReadonlyArray<{ qid: string }>,
    more: Partial<BodyInput<'createFulfillment'>> = {},
  ): Promise<Fulfillment> {
    const qids = items.map(({ qid }) => qid)
    return (await this.client.createFulfillment({ body: { qids, shipping_address: address, ...more } })).data
  }

  async advanceOrder({ id }: { id: string }, body: BodyInput<'advanceFulfillment'>): Promise<Fulfillment> {
    return (await this.client.advanceFulfillment({ params: { fulfillment_id: id }, body })).data
  }

  cancel({ id }: { id: string }): Promise<Seen> {
    return this.ask('cancelFulfillment', { params: { fulfillment_id: id } })
  }

  async sellBack(items: ReadonlyArray<{ qid: string }>): Promise<Transfer> {
    const qids = items.map(({ qid }) => qid)
    return (await this.client.requestTransfer({ body: { qids } })).data
  }

  async endTransfer({ id }: { id: string }, end: 'completed' | 'declined' | 'cancelled'): Promise<Transfer> {
    const params = { transfer_id: id }
    if (end === 'cancelled') return (await this.client.cancelTransfer({ params })).data
    return (await this.client.resolveTransfer({ params, body: { to_status: end } })).data
  }

  async listed(query: QueryInput<'listItems'>): Promise<string[]> {
    return each((await this.client.listItems({ query })).data.results, 'qid')
  }

  async itemOf({ qid }: { qid: string }): Promise<Item> {
    return (await this.client.getItem({ params: { qid } })).data
  }

  manifestUpload(bytes: Uint8Array, fields: Fields = []) {
    return upload(bytes, [['reference', this.unique('PO')], ...fields])
  }

  async submitCsv(file: Uint8Array | string): Promise<ResultOf<'submitManifestCsv'>> {
    const seen = await this.ask('submitManifestCsv', this.manifestUpload(Buffer.from(file)))
    return answered(seen, 201).body as ResultOf<'submitManifestCsv'>
  }

  async importProducts(file: Uint8Array): Promise<ResultOf<'importProductsCsv'>> {
    return answered(await this.ask('importProductsCsv', upload(file)), 200)
      .body as ResultOf<'importProductsCsv'>
  }

  async importOrders(rows: readonly OrderCells[]): Promise<ResultOf<'importFulfillmentsCsv'>> {
    const seen = await this.ask('importFulfillmentsCsv', upload(orderFile(rows)))
    return answered(seen, 200).body as ResultOf<'importFulfillmentsCsv'>
  }

  patch(subscription_id: string, json: object): Promise<Seen> {
    return this.ask('updateSubscription', { params: { subscription_id }, json })
  }

  /** Deletes the subscription afterwards. */
  async subscribed(task: (subscription: Subscription) => Promise<void>): Promise<void> {
    const body = { url: webhookUrl, event_types: ['transfer.declined' as const] }
    const { data } = await this.client.createSubscription({ body })
    try {
      await task(data)
    } finally {
      await this.ask('deleteSubscription', { params: { subscription_id: data.id } })
    }
  }
}

/** Throws `NotSandbox`, `NetworkError` or `ServiceError`. */
export async function openWorld(subject: Subject): Promise<World> {
  const document = await readDocument(subject)
  const world = new World(subject, document, await responseRule(document))
  await rejectProduction(world)
  return world
}

/** Throws `Unmet` if the service does something else, or `Unseen` if this service cannot show the clause. */
type Run = (world: World) => Promise<void>

export type Check = {
  /** `4.4-3`: the third clause of part 4.4; `D3-2`: the second of decisions 3. */
  clause: string
  text: string
  /** Set if only HTTP shows the clause: a run in process skips it. */
  over?: 'http'
  run: Run
}

/** A clause that other clauses state too is examined by their checks. */
type Repeated = { clause: string; text: string; seenBy: readonly string[] }

/** A key is the number of a clause and its text, as in `4.4-3 the text of the clause`. */
export function entriesOf(
  clauses: Readonly<Record<string, Run | Pick<Check, 'over' | 'run'> | Pick<Repeated, 'seenBy'>>>,
): Array<Check | Repeated> {
  return Object.entries(clauses).map(([title, seen]) => {
    const at = title.indexOf(' ')
    const named = { clause: title.slice(0, at), text: title.slice(at + 1) }
    return { ...named, ...(typeof seen === 'function' ? { run: seen } : seen) }
  })
}

export function seenBy(...clauses: string[]): Pick<Repeated, 'seenBy'> {
  return { seenBy: clauses }
}

export function runnable(entries: ReadonlyArray<Check | Repeated>): Check[] {
  const checks = new Map(entries.map((entry) => [entry.clause, entry]))
  return entries.map((entry) => {
    if (!('seenBy' in entry)) return entry
    const { seenBy, ...named } = entry
    const runs = seenBy.map((clause) => (checks.get(clause) as Check).run)
    const run: Run = async (world) => {
      for (const one of runs) await one(world)
    }
    return { ...named, run }
  })
}

export function overHttp(run: Run): Pick<Check, 'over' | 'run'> {
  return { over: 'http', run }
}
