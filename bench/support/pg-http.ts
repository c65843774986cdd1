import { join } from 'node:path'
import { issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { openDatabase } from '../../src/store/open.ts'
import { medianSeen } from './http-tail.ts'
import { peakMiB, upload, writeUpload } from './http-upload.ts'
import { readRate, writeRate } from './http-writers.ts'
import { fillWithItems } from './item-database.ts'
import { median, ms, note } from './measure.ts'
import { makePartners, type Serving, startOver } from './pg-served.ts'

const items = 100_000
const clients = 10
const seconds = 2
const turns = 5
const list = '/v1/items?page_size=25'

type Side = { name: string; server: Serving; other: Serving; readKey: string; writeKey: string }

/**
 * The measurements of bench/http.ts over PostgreSQL, next to SQLite in the same run: a page of 100,000 items, POST /products,
 * a CSV of 50,000 rows and its memory, and a write until a tail sees its event, through the same process and through another.
 */
export async function benchPgHttp(url: string, folder: string): Promise<void> {
  const csv = await writeUpload(folder)
  const sides: Side[] = []
  try {
    sides.push(await prepare('SQLite', join(folder, 'http.db')))
    sides.push(await prepare('PostgreSQL', url))
    await compare('GET /items, a second', sides, async ({ server, readKey }) => {
      return (await readRate([server.origin], [readKey], clients, seconds, list)).perSecond
    })
    await compare('POST /products, a second', sides, async ({ server, writeKey }) => {
      return (await writeRate([server.origin], [writeKey], clients, seconds)).perSecond
    })
    for (const side of sides) await tell(side, csv)
  } finally {
    for (const { server, other } of sides) await Promise.all([server.stop(), other.stop()])
  }
}

async function prepare(name: string, place: string): Promise<Side> {
  const db = await openDatabase(place)
  const scope = await fillWithItems(db, items, 'Reader')
  const { key: readKey } = await db.write((tx) => issueKey(tx, runtime, scope))
  await db.close()
  const [writeKey = ''] = await makePartners(place, 1)
  const [server, other] = [await startOver(place), await startOver(place)]
  return { name, server, other, readKey, writeKey }
}

/** In turns, so that other load affects both alike. */
async function compare(
  what: string,
  sides: readonly Side[],
  ask: (side: Side) => Promise<number>,
): Promise<void> {
  const found = sides.map((): number[] => [])
  for (let turn = 0; turn <= turns; turn++) {
    for (const [at, side] of sides.entries()) {
      const value = await ask(side)
      if (turn > 0) found[at]?.push(value)
    }
  }
  const medians = found.map(median)
  const [sqlite = 0, postgres = 0] = medians
  const told = sides.map(({ name }, at) => `${name} ${medians[at]?.toFixed(0)}`).join(', ')
  note(what, `${told}: ${(sqlite / postgres).toFixed(1)}x`)
}

async function tell({ name, server, other, writeKey }: Side, csv: string): Promise<void> {
  note(`${name}, write -> event seen`, ms(await medianSeen(server.origin, writeKey)))
  note(`${name}, by another process`, ms(await medianSeen(server.origin, writeKey, other.origin)))
  const started = performance.now()
  await upload(server.origin, writeKey, csv)
  const took = ms(performance.now() - started)
  note(
    `${name}, CSV of 50,000 rows`,
    `${took}, memory of the process at most ${peakMiB(server.pid).toFixed(0)} MiB`,
  )
}
