import { Agent, request } from 'node:http'
import { median } from './measure.ts'

/** Asks for an address again and again, one request at a time, for four seconds; prints how long the answers took. */
const [url = '', key = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const until = performance.now() + 4000
const times: number[] = []
while (performance.now() < until) {
  const from = performance.now()
  await ask()
  times.push(performance.now() - from)
}
agent.destroy()
console.log(JSON.stringify({ count: times.length, medianMs: median(times), maxMs: Math.max(...times) }))

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { 'x-api-key': key } })
    asked.on('error', reject)
    asked.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.resume()
      response.on('end', resolve)
    })
    asked.end()
  })
}
