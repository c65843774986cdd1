import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type RequestRate, readRate, writeRate } from './http-writers.ts'
import { median, ms, note, report } from './measure.ts'
import { makePartners, startOver } from './pg-served.ts'

const clients = 32
const seconds = 2
const turns = 5

type Rates = Map<string, number>

/**
 * Writers over HTTP on 1 and on 32 partners, and readers, by way of 1, 2 and 4 processes over one PostgreSQL; beside them one
 * process over SQLite. What more processes bring depends on the cores that they, the database and the clients share here.
 */
export async function benchProcesses(url: string, folder: string): Promise<void> {
  const rates: Rates = new Map()
  await measure(rates, 'SQLite', join(folder, 'processes.db'), [1])
  await measure(rates, 'PostgreSQL', url, [1, 2, 4])
  const at = (name: string): number => rates.get(name) ?? Number.NaN
  const cores = availableParallelism()
  const many = at('PostgreSQL 1, 32 partners') / at('PostgreSQL 4, 32 partners')
  const one = at('PostgreSQL 1, 1 partner') / at('PostgreSQL 4, 1 partner')
  // Where one process and its database take the cores already, more processes only take from each other.
  const hasRoom = cores >= 8
  const on = (ratio: number): string => `${ratio.toFixed(2)}x on ${cores} cores`
  report('32 partners, 1 / 4 processes', on(many), many, hasRoom ? 0.5 : 1.5, 'x')
  report('1 partner, 1 / 4 processes', on(one), one, hasRoom ? 1.25 : 2, 'x')
}

/** All of them run all the time, and are asked in turns: what else the machine does meets them alike. */
async function measure(rates: Rates, name: string, place: string, counts: readonly number[]): Promise<void> {
  const keys = await makePartners(place, 32)
  const servers = await Promise.all(Array.from({ length: Math.max(...counts) }, () => startOver(place)))
  const found = new Map<string, RequestRate[]>()
  try {
    for (let turn = 0; turn <= turns; turn++) {
      for (const count of counts) {
        const origins = servers.slice(0, count).map(({ origin }) => origin)
        for (const [what, rate] of await askAll(origins, keys)) {
          const whole = `${name} ${count}, ${what}`
          if (turn > 0) found.set(whole, [...(found.get(whole) ?? []), rate])
        }
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  for (const [what, all] of found) {
    const perSecond = median(all.map((one) => one.perSecond))
    rates.set(what, perSecond)
    note(what, `${perSecond.toFixed(0)}/s, p99 ${ms(median(all.map(({ p99 }) => p99)))}`)
  }
}

async function askAll(
  origins: readonly string[],
  keys: readonly string[],
): Promise<Array<[string, RequestRate]>> {
  return [
    ['1 partner', await writeRate(origins, keys.slice(0, 1), clients, seconds)],
    ['32 partners', await writeRate(origins, keys, clients, seconds)],
    ['32 partners, lists', await readRate(origins, keys, clients, seconds, '/v1/products')],
  ]
}
