import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { realSources } from '../../src/service/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import { writeRate } from './http-writers.ts'
import { median, ms, note, report } from './measure.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'custody.js')
const clients = 32
const seconds = 2
const turns = 5
/** High enough never to refuse, so that the limiter's own work is measured. */
const rate = ['--rate-limit', '900000:9000000']

type Rates = Map<string, number>
type Served = { origin: string; stop(): Promise<void> }

/**
 * Writers over HTTP on 1 and on 32 partners, by way of 1, 2 and 4 processes over one PostgreSQL; beside them one process over
 * SQLite. What more processes bring depends on the cores that they, the database and the clients share here.
 */
export async function benchProcesses(url: string, folder: string): Promise<void> {
  const rates: Rates = new Map()
  await measure(rates, 'SQLite', join(folder, 'processes.db'), [1])
  await measure(rates, 'PostgreSQL', url, [1, 2, 4])
  const at = (name: string): number => rates.get(name) ?? Number.NaN
  const cores = availableParallelism()
  const many = at('PostgreSQL 1 on 32') / at('PostgreSQL 4 on 32')
  const one = at('PostgreSQL 1 on 1') / at('PostgreSQL 4 on 1')
  // Where one process and its database take the cores already, more processes only take from each other.
  const hasRoom = cores >= 8
  report(
    '32 partners, 1 / 4 processes',
    `${many.toFixed(2)}x on ${cores} cores`,
    many,
    hasRoom ? 0.5 : 1.5,
    'x',
  )
  report('1 partner, 1 / 4 processes', `${one.toFixed(2)}x on ${cores} cores`, one, hasRoom ? 1.25 : 2, 'x')
}

/** All of them run all the time, and are asked in turns: what else the machine does meets them alike. */
async function measure(rates: Rates, name: string, place: string, counts: readonly number[]): Promise<void> {
  const keys = await makePartners(place, 32)
  const servers = await Promise.all(Array.from({ length: Math.max(...counts) }, () => startOver(place)))
  const found = new Map<string, Array<{ perSecond: number; p99: number }>>()
  try {
    for (let turn = 0; turn <= turns; turn++) {
      for (const count of counts) {
        for (const scopes of [1, 32]) {
          const origins = servers.slice(0, count).map(({ origin }) => origin)
          const measured = await writeRate(origins, keys.slice(0, scopes), clients, seconds)
          const what = `${name} ${count} on ${scopes}`
          if (turn > 0) found.set(what, [...(found.get(what) ?? []), measured])
        }
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  for (const [what, all] of found) {
    const perSecond = median(all.map((one) => one.perSecond))
    rates.set(what, perSecond)
    note(what, `${perSecond.toFixed(0)} writes/s, p99 ${ms(median(all.map(({ p99 }) => p99)))}`)
  }
}

async function startOver(place: string): Promise<Served> {
  const args = [program, 'serve', '--database', place, '--port', '0', ...rate]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  const [origin] = /http:\/\/[^\s/]+/.exec(String(line)) ?? []
  if (origin === undefined) throw new Error(`not serving: ${line}`)
  child.stdout.resume()
  return {
    origin,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function makePartners(place: string, count: number): Promise<string[]> {
  const db = await openDatabase(place)
  await migrate(db)
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    keys.push(
      await db.write(async (tx) => {
        const scope = await ensureScope(tx, realSources, `Writer ${i}`, 'sandbox')
        return (await issueKey(tx, realSources, scope)).key
      }),
    )
  }
  await db.close()
  return keys
}
