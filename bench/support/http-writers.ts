import { Pool } from 'undici'

/** Writes a second by POST /products, from so many clients at once, spread over the processes and the keys. */
export async function writeRate(
  origins: readonly string[],
  keys: readonly string[],
  clients: number,
  seconds: number,
): Promise<{ perSecond: number; p99: number }> {
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
      await post(pool, key, `SKU-${Date.now().toString(36)}-${made}`)
      latencies.push(performance.now() - started)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const took = (performance.now() - from) / 1000
  await Promise.all(pools.map((pool) => pool.close()))
  latencies.sort((a, b) => a - b)
  return {
    perSecond: latencies.length / took,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  }
}

async function post(pool: Pool, key: string, sku: string): Promise<void> {
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
