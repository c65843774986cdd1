import { ask } from './fair-requests.ts'

/** What an ordinary partner experienced for some seconds. */
export type Seen = {
  readP99: number
  /** Reads, each on a new connection. */
  newP99: number
  writeP99: number
  refused: number
  healthP99: number
  unhealthy: number
}

const readEveryMs = 132
const writeEveryMs = 200
const healthEveryMs = 100
const newEveryMs = 132

/** Reads and writes at a steady pace, whether or not earlier requests were answered. */
export async function bystand(origin: string, key: string, seconds: number): Promise<Seen> {
  const reads: number[] = []
  const news: number[] = []
  const writes: number[] = []
  const health: number[] = []
  let refused = 0
  let unhealthy = 0
  const timed = async (times: number[], task: () => Promise<unknown>): Promise<void> => {
    const began = performance.now()
    await task()
    times.push(performance.now() - began)
  }
  const onStatus = (status: number): void => {
    if (status >= 400) refused += 1
  }
  let at = 0
  const read = () => {
    at += 1
    return ask({ origin, key, path: at % 2 ? '/items?page_size=25' : '/events?page_size=25', onStatus })
  }
  const readNew = () => ask({ origin, key, path: '/items?page_size=25', isNew: true, onStatus })
  const slab = () => ({
    type: 'graded_slab',
    name: 'Pikachu',
    grader: 'PSA',
    grade: '10',
    cert_number: `${Math.floor(1e9 * Math.random())}`,
  })
  const write = () => ask({ origin, key, path: '/sandbox/intakes', body: { items: [slab()] }, onStatus })
  const look = async (): Promise<void> => {
    const { status } = await fetch(`${origin}/healthz`).catch(() => ({ status: 0 }))
    if (status !== 200) unhealthy += 1
  }
  const under: Array<Promise<void>> = []
  const timers = [
    setInterval(() => under.push(timed(reads, read)), readEveryMs),
    setInterval(() => under.push(timed(news, readNew)), newEveryMs),
    setInterval(() => under.push(timed(writes, write)), writeEveryMs),
    setInterval(() => under.push(timed(health, look)), healthEveryMs),
  ]
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  for (const timer of timers) clearInterval(timer)
  await Promise.all(under)
  return {
    readP99: p99(reads),
    newP99: p99(news),
    writeP99: p99(writes),
    refused,
    healthP99: p99(health),
    unhealthy,
  }
}

function p99(times: number[]): number {
  times.sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? Number.NaN
}
