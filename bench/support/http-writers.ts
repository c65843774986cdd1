import { Pool } from 'undici'

export type RequestRate = { requests: number; perSecond: number; p99: number }
/** One request of a client; throws if the answer is unexpected. */
type Send = (pool: Pool, key: string, number: number) => Promise<void>

/** Writes per second by POST /products, from that many clients at once, spread over processes and keys. */
export function writeRate(
  origins: readonly string[],
  keys: readonly string[],
  clients: number,
  seconds: number,
): Promise<RequestRate> {
  return requestRate(origins, keys, clients, seconds, post)
}

/** The same for a list: a GET of `path`. */
export function readRate(
  origins: readonly string[],
  keys: readonly string[],
  clients: number,
  seconds: number,
  path: string,
): Promise<RequestRate> {
  return requestRate(origins, keys, clients, seconds, (pool, key) => get(pool, key, path))
}

async function requestRate(
  origins: readonly string[],
  keys: readonly string[],
  clients: number,
  seconds: number,
  send: Send,
): Promise<RequestRate> {
  const pools = origins.map((origin) => new Pool(origin, { connections: clients, pipelining: 1 }))
  const latencies: number[] = []
  const end = performance.now() + seconds * 1000
  let made = 0
  const client = async (number: number): Promise<void> => {
    const pool = pools[number % pools.length]
    const key = keys[number % keys.length]
    if (!pool || !key) throw new Error('no server or no key')
    while (performance.now() < end) {
      made += 1
      const started = performance.now()
      await send(pool, key, made)
      latencies.push(performance.now() - started)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const took = (performance.now() - from) / 1000
  await Promise.all(pools.map((pool) => pool.close()))
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    perSecond: latencies.length / took,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  }
}

async function post(pool: Pool, key: string, number: number): Promise<void> {
  const sku = `SKU-${Date.now().toString(36)}-${number}`
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/products',
    headers: { 'x-api-key': key, 'idempotency-key': sku, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Elite Trainer Box',
      sku,
      dimensions: { length: 7.7, width: 6.9, height: 3.6, unit: 'in' },
      weight: { value: 35.5, unit: 'oz' },
    }),
  })
  const text = await body.text()
  if (statusCode !== 201) throw new Error(`${statusCode} ${text}`)
}

async function get(pool: Pool, key: string, path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { 'x-api-key': key } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
}
