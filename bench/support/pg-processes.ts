import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { cpuOf, cpuOfFamily } from './cpu.ts'
import { type RequestRate, readRate, writeRate } from './http-writers.ts'
import { median, ms, note, report } from './measure.ts'
import { makePartners, startOver } from './pg-served.ts'

const clients = 32
const seconds = 2
const turns = 5
const cpuMax = 1.5

/** Requests per second, and CPU milliseconds per request of the processes and the database. */
type Rate = { perSecond: number; cpuMs: number }
type Rates = Map<string, Rate>

/**
 * Writers over HTTP on 1 and on 32 partners, and readers, through 1, 2, and 4 processes over one PostgreSQL; next to them one
 * process over SQLite. Processes, database, and clients share the cores here, so more processes add little:
 * `bench/support/pg-far.ts` shows what they add on idle cores. The CPU time per request shows that many processes cost no more
 * than one.
 */
export async function benchProcesses(url: string, folder: string): Promise<void> {
  const rates: Rates = new Map()
  await measure(rates, 'SQLite', join(folder, 'processes.db'), [1], () => 0)
  const postmaster = await postmasterOf(url)
  await measure(rates, 'PostgreSQL', url, [1, 2, 4], () => cpuOfFamily(postmaster))
  const at = (name: string): Rate =>
    rates.get(`PostgreSQL ${name}`) ?? { perSecond: Number.NaN, cpuMs: Number.NaN }
  const cores = availableParallelism()
  const many = at('1, 32 partners').perSecond / at('4, 32 partners').perSecond
  const one = at('1, 1 partner').perSecond / at('4, 1 partner').perSecond
  // If one process and its database use all cores, more processes only compete.
  const hasRoom = cores >= 8
  const on = (ratio: number): string => `${ratio.toFixed(2)}x on ${cores} cores`
  report('32 partners, 1 / 4 processes', on(many), many, hasRoom ? 0.5 : 1.5, 'x')
  report('1 partner, 1 / 4 processes', on(one), one, hasRoom ? 1.25 : 2, 'x')
  const cpu = at('4, 32 partners').cpuMs / at('1, 32 partners').cpuMs
  report('CPU of a write, 4 / 1 processes', `${cpu.toFixed(2)}x`, cpu, cpuMax, 'x')
}

/** The parent process of all connections of a server. */
async function postmasterOf(url: string): Promise<string> {
  const { pool, close } = await openPostgres(url, { poolSize: 1 })
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { parent } = cpuOf(String(rows[0]?.pid)) ?? {}
  await close()
  if (parent === undefined) throw new Error('the database is on another machine')
  return parent
}

/** All of them run all the time and receive requests in turns, so that other load affects them alike. */
async function measure(
  rates: Rates,
  name: string,
  place: string,
  counts: readonly number[],
  databaseCpu: () => number,
): Promise<void> {
  const keys = await makePartners(place, 32)
  const servers = await Promise.all(Array.from({ length: Math.max(...counts) }, () => startOver(place)))
  const cpu = (): number =>
    servers.reduce((sum, { pid }) => sum + (cpuOf(String(pid))?.own ?? 0), databaseCpu())
  const found = new Map<string, Asked[]>()
  try {
    for (let turn = 0; turn <= turns; turn++) {
      for (const count of counts) {
        const origins = servers.slice(0, count).map(({ origin }) => origin)
        for (const [what, rate] of await askAll(origins, keys, cpu)) {
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
    const cpuMs = median(all.map((one) => one.cpuMs))
    rates.set(what, { perSecond, cpuMs })
    const p99 = ms(median(all.map((one) => one.p99)))
    note(what, `${perSecond.toFixed(0)}/s, p99 ${p99}, ${cpuMs.toFixed(2)} ms CPU each`)
  }
}

type Asked = RequestRate & { cpuMs: number }

async function askAll(
  origins: readonly string[],
  keys: readonly string[],
  cpu: () => number,
): Promise<Array<[string, Asked]>> {
  const timed = async (ask: Promise<RequestRate>): Promise<Asked> => {
    const before = cpu()
    const rate = await ask
    return { ...rate, cpuMs: ((cpu() - before) * 1000) / rate.requests }
  }
  return [
    ['1 partner', await timed(writeRate(origins, keys.slice(0, 1), clients, seconds))],
    ['32 partners', await timed(writeRate(origins, keys, clients, seconds))],
    ['32 partners, lists', await timed(readRate(origins, keys, clients, seconds, '/v1/products'))],
  ]
}
