import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { createHttpTransport } from '../../src/client/http-transport.ts'
import { makePartner, program } from './http-program.ts'
import { ms, note, report } from './measure.ts'
import { answerOf, type Served, serveOn } from './pinned.ts'
import { writeCatalog } from './product-data.ts'

const rows = 50_000
const stallMaxMs = 100
const memoryMaxMiB = 400
const metricsPort = 9464

/** An upload of 50,000 rows, while others ask: how long they are kept waiting at worst, and the peak of memory. */
export async function benchUpload(folder: string): Promise<void> {
  const file = join(folder, 'upload.db')
  const key = await makePartner(file)
  const csv = join(folder, 'products.csv')
  await writeCatalog(csv, rows)
  const options = ['--port', '0', '--metrics-port', String(metricsPort), '--rate-limit', 'off']
  const served = await serveOn(0, [program, 'serve', '--database', file, ...options])
  try {
    await readMetric('custody_event_loop_stall_seconds')
    const probe = [join(import.meta.dirname, 'probe.ts'), `${served.origin}/v1/items?page_size=25`, key]
    const probing = answerOf<{ count: number; medianMs: number; maxMs: number }>(1, probe)
    const started = performance.now()
    await upload(served, key, csv)
    note(`CSV of ${rows.toLocaleString('en')} rows`, ms(performance.now() - started))
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

async function upload({ origin }: Served, key: string, csv: string): Promise<void> {
  const client = createClient({
    transport: createHttpTransport({ apiKey: key, userAgent: 'bench' }),
    baseUrl: `${origin}/v1`,
    newIdempotencyKey: () => 'upload',
  })
  const { data } = await client.importProductsCsv({ form: { file: readFileSync(csv) } })
  if (data.totals.created !== rows) throw new Error(JSON.stringify(data.totals))
}

async function readMetric(name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1])
}

/** The peak of resident memory, from /proc; 0 where the system does not tell. */
function peakMiB(pid: number): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  } catch {
    return 0
  }
}
