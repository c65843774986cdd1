import { request } from 'undici'
import { type Rate, rateOf } from './http-rate.ts'
import { median, note, report } from './measure.ts'
import type { Served } from './pinned.ts'

const rounds = 5

/** What a page costs that its client has already, and how small it gets. */
export async function benchConditions(server: Served, path: string, key: string): Promise<void> {
  const keyed = `X-API-Key=${key}`
  const plain = await answer(server, path, { 'x-api-key': key })
  const condition = `If-None-Match=${plain.etag}`
  const rates: Array<[Rate, Rate, Rate]> = []
  for (let round = 0; round <= rounds; round++) {
    const whole = await rateOf(server, path, [keyed])
    const same = await rateOf(server, path, [keyed, condition], '3xx')
    const packed = await rateOf(server, path, [keyed, 'Accept-Encoding=zstd'])
    if (round > 0) rates.push([whole, same, packed])
  }
  const cpu = median(rates.map(([whole, same]) => same.cpuUs / whole.cpuUs))
  const shown = rates.map(([, same]) => same.cpuUs.toFixed(0))[0]
  report('GET /items, CPU, 304 / 200', `${cpu.toFixed(2)} (${shown} us)`, cpu, 0.5, '')
  const compressing = median(rates.map(([whole, , packed]) => packed.cpuUs / whole.cpuUs))
  note('GET /items, CPU, zstd / plain', compressing.toFixed(2))
  for (const coding of ['zstd', 'gzip']) {
    const { bytes } = await answer(server, path, { 'x-api-key': key, 'accept-encoding': coding })
    const part = bytes / plain.bytes
    report(`GET /items, bytes, ${coding} / plain`, `${part.toFixed(3)} (${bytes} bytes)`, part, 0.2, '')
  }
}

async function answer(server: Served, path: string, headers: Record<string, string>) {
  const { headers: answered, body } = await request(server.origin + path, { headers })
  return { etag: answered.etag, bytes: (await body.arrayBuffer()).byteLength }
}
