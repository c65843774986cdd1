import { request } from 'undici'
import { type Rate, rateOf } from './http-rate.ts'
import { median, note, report } from './measure.ts'
import type { Served } from './pinned.ts'

const rounds = 5

/** An empty list, so that the request is most of the cost. */
const smallList = '/v1/transfers'

/** The cost of a page that the client already has, and its compressed size. */
export async function benchConditions(server: Served, path: string, key: string): Promise<void> {
  const keyed = `X-API-Key=${key}`
  for (const list of [path, smallList]) await benchUnchanged(server, list, key)
  const rates: Array<[Rate, Rate]> = []
  for (let round = 0; round <= rounds; round++) {
    const plain = await rateOf(server, path, [keyed])
    const packed = await rateOf(server, path, [keyed, 'Accept-Encoding=zstd'])
    if (round > 0) rates.push([plain, packed])
  }
  const compressing = median(rates.map(([plain, packed]) => packed.cpuUs / plain.cpuUs))
  note('GET /items, CPU, zstd / plain', compressing.toFixed(2))
  const plain = await answer(server, path, { 'x-api-key': key })
  for (const coding of ['zstd', 'gzip']) {
    const { bytes } = await answer(server, path, { 'x-api-key': key, 'accept-encoding': coding })
    const part = bytes / plain.bytes
    report(`GET /items, bytes, ${coding} / plain`, `${part.toFixed(3)} (${bytes} bytes)`, part, 0.2, '')
  }
}

async function benchUnchanged(server: Served, path: string, key: string): Promise<void> {
  const keyed = `X-API-Key=${key}`
  const { etag } = await answer(server, path, { 'x-api-key': key })
  const rates: Array<[Rate, Rate]> = []
  for (let round = 0; round <= rounds; round++) {
    const whole = await rateOf(server, path, [keyed])
    const same = await rateOf(server, path, [keyed, `If-None-Match=${etag}`], '3xx')
    if (round > 0) rates.push([whole, same])
  }
  const cpu = median(rates.map(([whole, same]) => same.cpuUs / whole.cpuUs))
  const [, { cpuUs } = { cpuUs: 0 }] = rates[0] ?? []
  const [name] = path.replace('/v1', '').split('?')
  report(`GET ${name}, CPU, 304 / 200`, `${cpu.toFixed(2)} (${cpuUs.toFixed(0)} us)`, cpu, 0.5, '')
}

async function answer(server: Served, path: string, headers: Record<string, string>) {
  const { headers: answered, body } = await request(server.origin + path, { headers })
  return { etag: answered.etag, bytes: (await body.arrayBuffer()).byteLength }
}
