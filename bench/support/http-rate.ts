import { join } from 'node:path'
import { answerOf, type Served } from './pinned.ts'

const autocannon = join(import.meta.dirname, '..', '..', 'node_modules', 'autocannon', 'autocannon.js')
const seconds = 2

type Load = {
  requests: { average: number; total: number }
  '2xx': number
  '3xx': number
  errors: number
}

export type Rate = { perSecond: number; cpuUs: number }

/** How fast a server answers a path, and the CPU of one answer. Throws if an answer's status is not `status`. */
export async function rateOf(
  server: Served,
  path: string,
  headers: readonly string[],
  status: '2xx' | '3xx' = '2xx',
): Promise<Rate> {
  const options = ['-j', '-c', '10', '-d', String(seconds), ...headers.flatMap((header) => ['-H', header])]
  const before = server.cpuSeconds()
  const load = await answerOf<Load>(1, [autocannon, ...options, server.origin + path])
  const { requests, errors } = load
  const wrong = load['2xx'] + load['3xx'] - load[status]
  if (wrong > 0 || errors > 0) throw new Error(`${wrong} answers were not ${status}, ${errors} none`)
  return { perSecond: requests.average, cpuUs: ((server.cpuSeconds() - before) / requests.total) * 1e6 }
}
