import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient, ServiceError } from '../../src/client/client.ts'
import { createHttpTransport } from '../../src/client/http-transport.ts'
import { sql } from '../../src/store/database.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { csvOf } from './csv-of.ts'
import { makePartner, program } from './http-program.ts'
import { fillWithItems } from './item-database.ts'
import { ms, note, report } from './measure.ts'
import { answerOf, serveOn } from './pinned.ts'
import { writeCatalog } from './product-data.ts'

const rows = 50_000
const counted = rows.toLocaleString('en')
const columns = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
const stallMaxMs = 100
const memoryMaxMiB = 400
const metricsPort = 9464

/** `file`: the service's database, before it serves. */
type Sending = {
  name: string
  prepare?: (file: string) => Promise<unknown>
  send: (client: Client, file: string) => Promise<unknown>
}

/**
 * Uploads at their limits while others send requests: their longest wait, and peak memory. Each upload goes to its own
 * service.
 */
export async function benchUpload(folder: string): Promise<void> {
  const csv = await writeUpload(folder)
  const uploads: Sending[] = [
    { name: `CSV of ${counted} rows`, send: (client) => sendCatalog(client, csv) },
    { name: `CSV of ${counted} wrong rows`, send: sendWrongRows },
    { name: 'CSV of 15 million blank lines', send: sendBlankLines },
    { name: `manifest of ${counted} lines in JSON`, send: sendManifest },
    { name: `CSV of ${counted} fulfillments`, prepare: fillShelves, send: sendOrders },
  ]
  for (const [at, one] of uploads.entries()) await benchOne(join(folder, `upload-${at}.db`), one)
}

async function benchOne(file: string, { name, prepare, send }: Sending): Promise<void> {
  const key = await makePartner(file)
  await prepare?.(file)
  const options = ['--port', '0', '--metrics-port', String(metricsPort), '--rate-limit', 'off']
  const served = await serveOn(0, [program, 'serve', '--database', file, ...options])
  try {
    await readMetric('custody_event_loop_stall_seconds')
    const probe = [join(import.meta.dirname, 'probe.ts'), `${served.origin}/v1/items?page_size=25`, key]
    const over = new AbortController()
    const probing = answerOf<{ count: number; medianMs: number; maxMs: number }>(1, probe, over.signal)
    const started = performance.now()
    await send(clientOf(served.origin, key), file)
    note(name, ms(performance.now() - started))
    over.abort()
    const stall = (await readMetric('custody_event_loop_stall_seconds')) * 1000
    report('  event loop at worst', ms(stall), stall, stallMaxMs, ' ms')
    const memory = peakMiB(served.pid)
    report('  memory at most', `${memory.toFixed(0)} MiB`, memory, memoryMaxMiB, ' MiB')
    const { count, medianMs, maxMs } = await probing
    note('  other requests meanwhile', `${count}: median ${ms(medianMs)}, at worst ${ms(maxMs)}`)
  } finally {
    await served.stop()
  }
}

export async function writeUpload(folder: string): Promise<string> {
  const csv = join(folder, 'products.csv')
  await writeCatalog(csv, rows)
  return csv
}

/** Uploads the file to that service. */
export async function upload(origin: string, key: string, csv: string): Promise<void> {
  await sendCatalog(clientOf(origin, key), csv)
}

function clientOf(origin: string, key: string): Client {
  return createClient({
    transport: createHttpTransport({ apiKey: key, userAgent: 'bench' }),
    baseUrl: `${origin}/v1`,
    newIdempotencyKey: () => 'upload',
  })
}

async function sendCatalog(client: Client, csv: string): Promise<void> {
  const { data } = await client.importProductsCsv({ form: { file: readFileSync(csv) } })
  if (data.totals.created !== rows) throw new Error(JSON.stringify(data.totals))
}

async function sendWrongRows(client: Client): Promise<void> {
  const wrong = ['Elite Trainer Box', 'ETB-1', '1.2E+08', '7,7', 6.9, 3.6, 'inches', 36.2, 'oz', '']
  const file = Buffer.from(csvOf(columns, Array<typeof wrong>(rows).fill(wrong)))
  const { data } = await client.importProductsCsv({ form: { file } })
  if (data.totals.failed !== rows) throw new Error(JSON.stringify(data.totals))
}

async function sendBlankLines(client: Client): Promise<void> {
  const row = ['Elite Trainer Box', 'ETB-1', '', 7.7, 6.9, 3.6, 'in', 36.2, 'oz', '']
  const file = Buffer.from(csvOf(columns, [row]) + '\n'.repeat(15_000_000))
  const refused = await client.importProductsCsv({ form: { file } }).then(
    () => false,
    (error: unknown) => error instanceof ServiceError,
  )
  if (!refused) throw new Error('15 million rows, though blank, are more than a file may have')
}

async function sendManifest(client: Client): Promise<void> {
  const lines = Array.from({ length: rows }, (_, n) => ({
    external_ref: `PO-${n}`,
    description: `2023 Pokemon Obsidian Flames Charizard ex #${n}`,
    grader: 'PSA',
    cert_number: String(10_000_000 + n),
    quantity: 1,
  }))
  await client.submitManifest({ body: { reference: 'PO', lines } })
}

/** Seven in ten are available. */
async function fillShelves(file: string): Promise<void> {
  const db = openSqlite(file)
  await fillWithItems(db, 2 * rows)
  await db.close()
}

/** An order for each of that many items, spread over the table. */
async function sendOrders(client: Client, file: string): Promise<void> {
  const db = openSqlite(file)
  const items = await db.read((tx) =>
    tx.all<{ qid: string }>(sql`
      select qid from items where scope_id = 1 and status = 'available' order by qid limit ${rows}`),
  )
  await db.close()
  const csv = csvOf(
    'qid,recipient_name,street,city,state,zip,country,external_ref',
    items.map(({ qid }, n) => [
      ...[qid, 'Ann Lee', `${n} Elm Street`, 'Portland', 'OR'],
      ...['97201', 'US', `ORDER-${n}`],
    ]),
  )
  const { data } = await client.importFulfillmentsCsv({ form: { file: Buffer.from(csv) } })
  if (data.totals.created !== rows) throw new Error(JSON.stringify(data.totals))
}

async function readMetric(name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1])
}

/** Peak resident memory, from /proc; 0 if the system does not report it. */
export function peakMiB(pid: number): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  } catch {
    return 0
  }
}
