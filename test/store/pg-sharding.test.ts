import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { defaultSettings } from '../../src/engine/context.ts'
import { createService } from '../../src/service/service.ts'
import { inScope } from '../../src/store/database.ts'
import { scopedTables } from '../../src/store/maintenance/scoped-rows.ts'
import { openPostgres, type PgDatabase } from '../../src/store/postgres/pg.ts'
import { insertArrivalFile } from '../../src/store/tables/arrival-files.ts'
import { listScopes, type Scope } from '../../src/store/tables/scopes.ts'
import { box } from '../support/box.ts'
import { everyEvent } from '../support/every-event.ts'
import { fulfillmentCsv } from '../support/fulfillment-csv.ts'
import { clientWith } from '../support/harness.ts'
import { eventually } from '../support/load.ts'
import { slab } from '../support/manifests.ts'
import { orderOf } from '../support/orders.ts'
import { inSchema, makeSchema } from '../support/postgres-schema.ts'
import { type SharedDatabase, share } from '../support/shared-database.ts'

type Touched = { table: string; shard: string }

const shards = 4
/** Tables that are read before a scope is known. */
const sharded = Object.keys(scopedTables).filter((table) => table !== 'api_keys')

describe('a partner’s data split by scope_id, as a distributed engine splits them', () => {
  let schema: string
  let shared: SharedDatabase
  let db: PgDatabase
  let lookedAtBefore: ReadonlyMap<string, number>
  beforeAll(async () => {
    schema = await makeSchema()
    const url = inject('postgresUrl')
    shared = await share({ url, schema })
    db = await openPostgres(inSchema(schema, url), { poolSize: 3 })
    const client = await db.pool.connect()
    for (const table of sharded) await client.query(splitting(table))
    // Creating them reads them all; reported now, those reads are not counted below.
    await client.query('select pg_stat_force_next_flush()')
    client.release()
    lookedAtBefore = await countLooks()
  })
  afterAll(() => shared.close())

  test('keep a partner’s whole story on one shard, and the others untouched', async () => {
    for (let i = 0; i < 8; i++) await shared.partner(`Partner ${i}`)
    const { key } = await shared.partner('Northgate Cards')
    let uptime = 0
    const sources = {
      clock: () => Date.now(),
      // Each reading of the clock is a second later, so an upload of a few rows takes several steps.
      uptime: () => (uptime += 1_000),
      random: (n: number) => crypto.getRandomValues(new Uint8Array(n)),
    }
    const service = createService({ db, environment: 'sandbox', sources, settings: defaultSettings })
    const client = clientWith(service, key, sources)
    await tell(client)
    await receiveFile()
    // Now the server knows that they are most of all items, and search uses another plan.
    await db.pool.query('analyze items')
    expect((await client.listItems({ query: { search: 'charizard' } })).data.total).toBe(3)
    // Its sessions report their statistics to the server when they end.
    await db.close()
    let touched: Touched[] = []
    const isKnown = async () => {
      touched = await listTouched()
      return new Set(touched.map(({ table }) => table)).size === sharded.length
    }
    await eventually('every table is told of', isKnown, 20_000)
    expect(new Set(touched.map(({ shard }) => shard)).size).toBe(1)
    expect(await shared.findings()).toEqual([])
  })

  /** Only the warehouse's own command stores the files that it received. */
  async function receiveFile(): Promise<void> {
    const scopes = await db.read(listScopes)
    const { id } = scopes.find((each) => each.partner_name === 'Northgate Cards') as Scope
    const file = { content: 'hash', delivery: 'D-1', manifest_id: null, first_no: 1, last_no: 1 }
    await db.write((tx) => insertArrivalFile(inScope(tx, id), file))
  }

  /** The partitions of each table that were read or written. */
  async function listTouched(): Promise<Touched[]> {
    const looks = [...(await countLooks())].filter(([name, n]) => n > (lookedAtBefore.get(name) ?? 0))
    return looks.map(([name]) => ({ table: name.replace(/_shard_.*/, ''), shard: name.slice(-1) }))
  }

  /** How often each partition of a table was read or written. */
  async function countLooks(): Promise<Map<string, number>> {
    const { rows } = await (shared.db as PgDatabase).pool.query<{ name: string; n: string }>(
      `select relname as name, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) + n_tup_ins as n
       from pg_stat_user_tables where schemaname = $1 and relname like '%\\_shard\\__'`,
      [schema],
    )
    return new Map(rows.map(({ name, n }) => [name, Number(n)]))
  }
})

/** Recreated in partitions; a unique index must then contain the partition column. */
function splitting(table: string): string {
  const parts = Array.from(
    { length: shards },
    (_, i) =>
      `create table ${table}_shard_${i} partition of ${table} for values with (modulus ${shards}, remainder ${i})`,
  )
  return [
    `alter table ${table} rename to ${table}_whole`,
    `create table ${table} (like ${table}_whole including all) partition by hash (scope_id)`,
    ...parts,
    `drop table ${table}_whole`,
  ].join('; ')
}

async function tell(client: ReturnType<typeof clientWith>): Promise<void> {
  const items = ['10000001', '10000002', '10000003'].map((cert) => slab(cert, { name: 'Charizard' }))
  const sku = 'BOX'
  await client.createProduct({
    body: box(sku),
  })
  const event_types = ['item.intake.completed' as const]
  const url = 'https://hooks.example/in'
  const { id: subscription_id } = (await client.createSubscription({ body: { url, event_types } })).data
  const lines = [{ description: 'Rare card of long ago' }, { description: 'Box', sku, quantity: 2 }]
  const manifest = (await client.submitManifest({ body: { reference: 'PO-1', lines } })).data
  const params = { manifest_id: manifest.id }
  await client.receiveManifest({ params, body: { outcome: 'short' } })
  const { intakes } = (await client.createIntakes({ body: { items } })).data
  for (const { qid } of intakes) {
    await client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
  }
  const body = orderOf(intakes.slice(0, 1))
  // Only a request that asks about repeats reads their identities.
  const order = (await client.createFulfillment({ body, repeats: 'skip' })).data
  await client.cancelFulfillment({ params: { fulfillment_id: order.id } })
  const rows = Array.from({ length: 50 }, () => ({ sku: 'NONE', quantity: 1 }))
  await client.importFulfillmentsCsv({ form: { file: fulfillmentCsv(rows) } })
  await client.requestTransfer({ body: { qids: intakes.slice(1, 2).map(({ qid }) => qid) } })
  await client.closeManifest({ params })
  await client.getManifestReport({ params })
  for (const query of [{}, { search: 'charizard' }, { sku: 'gs-' }, { status: 'available' as const }]) {
    await client.listItems({ query })
  }
  await client.getItemSummary({})
  await client.listInventory({})
  await client.listIntakes({})
  await client.listManifests({})
  await client.listFulfillments({})
  await client.listTransfers({})
  await client.listDeliveries({ params: { subscription_id } })
  await client.replaySubscription({ params: { subscription_id }, body: { since: '2020-01-01T00:00:00Z' } })
  await everyEvent(client)
}
