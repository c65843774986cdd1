import { Agent, request } from 'node:http'
import { median } from './measure.ts'

/** Requests an address again and again, one request at a time, until its input ends; prints the durations. */
const [url = '', key = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
let isOver = false
process.stdin.resume().once('end', () => {
  isOver = true
})
const times: number[] = []
do {
  const from = performance.now()
  await ask()
  times.push(performance.now() - from)
} while (!isOver)
agent.destroy()
console.log(
  JSON.stringify({
    count: times.length,
    medianMs: median(times),
    maxMs: times.reduce((most, ms) => Math.max(most, ms), 0),
  }),
)

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
