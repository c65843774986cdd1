import { Agent, request } from 'node:http'

/**
 * Sends `POST /products` on several connections at once for some seconds, each with its own SKU and Idempotency-Key, and
 * prints how many got a 201. Arguments: origin, key, connections, seconds.
 */
const [origin = '', key = '', connections = '10', seconds = '3'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const started = performance.now()
const until = started + Number(seconds) * 1000
let sent = 0
let made = 0

await Promise.all(Array.from({ length: Number(connections) }, sendUntilOver))
const elapsed = (performance.now() - started) / 1000
console.log(JSON.stringify({ requests: { average: made / elapsed, total: made }, non2xx: sent - made }))
agent.destroy()

async function sendUntilOver(): Promise<void> {
  while (performance.now() < until) {
    sent += 1
    if ((await post(`${process.pid}-${started}-${sent}`)) === 201) made += 1
  }
}

function post(name: string): Promise<number | undefined> {
  const body = JSON.stringify({
    name: 'Elite Trainer Box',
    sku: `ETB-${name}`,
    dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
    weight: { value: 30, unit: 'oz' },
  })
  return new Promise((resolve, reject) => {
    const posted = request(`${origin}/v1/products`, {
      method: 'POST',
      agent,
      headers: {
        'x-api-key': key,
        'idempotency-key': name,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    })
    posted.on('error', reject)
    posted.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    posted.end(body)
  })
}
