import { type RequestRate, writeRate } from './http-writers.ts'
import { median, note, report } from './measure.ts'
import { makePartners, startOver } from './pg-served.ts'
import { startSlowLine } from './slow-line.ts'

const oneWayMs = 5
const connections = 4
const clients = 32
const seconds = 4
const turns = 3

/**
 * Writers through 1, 2, and 4 processes whose database is 10 ms away, so that they wait and the cores are idle. Partners must
 * not delay each other in any process: the writes of 32 partners grow with the number of processes, while those of one partner
 * stay serial.
 */
export async function benchFar(url: string): Promise<void> {
  const keys = await makePartners(url, 32)
  const line = await startSlowLine(url, oneWayMs)
  const far = Object.assign(new URL(line.url), { search: `pool_size=${connections}` }).href
  const servers = await Promise.all(Array.from({ length: 4 }, () => startOver(far)))
  const found = new Map<string, number[]>()
  const ask = async (count: number, partners: number): Promise<void> => {
    const origins = servers.slice(0, count).map(({ origin }) => origin)
    const rate: RequestRate = await writeRate(origins, keys.slice(0, partners), clients, seconds)
    const name = `${count} ${partners}`
    found.set(name, [...(found.get(name) ?? []), rate.perSecond])
  }
  try {
    for (let turn = 0; turn < turns; turn++) {
      for (const partners of [32, 1]) for (const count of [1, 2, 4]) await ask(count, partners)
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await line.close()
  }
  const at = (count: number, partners: number): number => median(found.get(`${count} ${partners}`) ?? [])
  for (const partners of [32, 1]) {
    const rates = [1, 2, 4].map((count) => `${at(count, partners).toFixed(0)}/s`)
    note(`${partners} partners, 10 ms away`, `${rates.join(', ')} by 1, 2, 4 processes`)
  }
  const perTwo = at(1, 32) / at(2, 32)
  const perFour = at(1, 32) / at(4, 32)
  const one = at(1, 1) / at(4, 1)
  report('32 partners far, 1 / 2 processes', `${perTwo.toFixed(2)}x`, perTwo, 0.6, 'x')
  report('32 partners far, 1 / 4 processes', `${perFour.toFixed(2)}x`, perFour, 0.35, 'x')
  report('1 partner far, 1 / 4 processes', `${one.toFixed(2)}x`, one, 1.25, 'x')
}
